import { firewallPriorityProblem, whyNoMoreRules } from '@gantry/api/network/vpc-firewall.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Send } from '#/data/client.ts'
import { asFailure, Failure } from '#/data/failure.ts'
import { CheckboxField, NumberField, RadioField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField, useFormField } from '#/kit/forms/fields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { movedPlan } from '#/kit/plan/plan.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { vpcLink } from '#/features/vpcs/links.ts'
import { firewallRules } from '../queries.ts'
import type { SavedRules, SeenRules } from '../save.ts'
import { targetless } from '../words.ts'
import { savedMessage, useSaveRules } from '../use-save-rules.tsx'
import { HostSubform } from './HostSubform.tsx'
import { PortSubform } from './PortSubform.tsx'
import { ProtocolSubform } from './ProtocolSubform.tsx'
import { draftProblems, ruleFrom, type RuleValues } from './rule-values.ts'

const PacketSection = lazyPart(() => import('./PacketSection.tsx'), 'PacketSection')

interface Props {
  project: string
  vpc: string
  /** The list when the form opened, which the change applies to. */
  seen: SeenRules
  /** The name of the edited rule; undefined for a new one. */
  was?: string
  initial: RuleValues
  /** Says what the link that opened the form has changed in it. */
  note?: ReactNode
}

const actions = [
  { value: 'allow', label: 'Allow' },
  { value: 'deny', label: 'Deny' },
] as const
const directions = [
  { value: 'inbound', label: 'Inbound' },
  { value: 'outbound', label: 'Outbound' },
] as const

const nameTaken = 'Name taken. To change an existing rule, edit that rule.'

/** The form of a new or edited firewall rule. */
export function RuleForm({ project, vpc, seen, was, initial, note }: Props) {
  const { data: now } = useSuspenseQuery(firewallRules(project, vpc))
  const saveRules = useSaveRules(project, vpc)
  const [refusal, setRefusal] = useState<string>()
  const whyNotAllowed = useWhyNotNetworks(project)
  const isNew = was === undefined

  async function save(values: RuleValues, send?: Send): Promise<SavedRules & { name: string }> {
    setRefusal(undefined)
    const rule = ruleFrom(values)
    try {
      const saved = await saveRules(seen, [{ was, rule }], send)
      // The other user's rule of this name is kept, and the input here must not be lost.
      if (rule.name !== was && saved.dropped.some(({ name }) => name === rule.name))
        throw new Failure({ message: nameTaken, errorCode: 'ObjectAlreadyExists', statusCode: 400 })
      return { ...saved, name: rule.name }
    } catch (error) {
      // The plan of now is shown where the user reviews it.
      if (!movedPlan(error)) setRefusal(asFailure(error).message)
      throw error
    }
  }

  return (
    <SideForm
      title={isNew ? 'Add firewall rule' : 'Edit rule'}
      context={`Of VPC ${vpc}`}
      submitLabel={isNew ? 'Add rule' : 'Update rule'}
      pendingLabel={isNew ? 'Adding rule' : 'Updating rule'}
      initial={initial}
      check={draftProblems}
      save={save}
      reviewable
      saved={(saved) =>
        savedMessage(successMessage('Firewall rule', saved.name, isNew ? 'created' : 'updated'), saved)
      }
      closeTo={vpcLink(project, vpc)}
      disabled={whyNotAllowed ?? (isNew ? whyNoMoreRules(now.rules) : undefined)}
    >
      {note}
      <Note>
        Rules are evaluated in priority order, and the first match decides. Without a match, inbound traffic
        is denied and outbound traffic is allowed.
      </Note>
      <CheckboxField name="enabled">Enabled</CheckboxField>
      <NameField
        name="name"
        problem={(name) =>
          name !== was && now.rules.some((rule) => rule.name === name) ? nameTaken : undefined
        }
      />
      <DescriptionField name="description" />
      <RadioField name="action" label="Action" column options={actions} />
      <RadioField
        name="direction"
        label="Direction of traffic"
        hint="Inbound traffic goes to the targets; outbound traffic comes from them."
        column
        options={directions}
      />
      <NumberField
        name="priority"
        label="Priority"
        hint="From 0 to 65535; rules with lower numbers come first."
        problem={firewallPriorityProblem}
      />
      <Section title="Targets" text="The rule applies to instances that match any target.">
        <HostSubform name="targets" project={project} vpc={vpc} />
        <TargetlessNote />
      </Section>
      <Section
        title="Filters"
        text="Without filters, the rule matches all traffic. With several kinds of filters, traffic must match one of each kind."
      >
        <PortSubform />
        <ProtocolSubform />
      </Section>
      <Section
        title="Host filters"
        text="The remote end: the source of inbound traffic, or the destination of outbound traffic."
      >
        <HostSubform name="hosts" project={project} vpc={vpc} />
      </Section>
      <PacketSection project={project} vpc={vpc} rules={now.rules} was={was} />
      {/* The form is long, and the submit button is down here. */}
      {refusal && <p className="text-sm text-fail-text wrap-anywhere">{refusal}</p>}
    </SideForm>
  )
}

function TargetlessNote() {
  const { value: targets } = useFormField<RuleValues['targets']>('targets')
  return targets.length === 0 && <Note kind="busy">{targetless}</Note>
}

function Section({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="space-y-4 border-t border-line pt-5">
      <div>
        <h3 className="text-md">{title}</h3>
        <p className="text-sm text-muted">{text}</p>
      </div>
      {children}
    </section>
  )
}
