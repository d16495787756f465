import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { asFailure } from '#/data/failure.ts'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { Select } from '#/ui/inputs/Select.tsx'
import { Term } from '#/ui/data/Term.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { useSecond } from '#/ui/use-second.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { sideWords, useUnsavedGuard } from '#/kit/forms/UnsavedGuard.tsx'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { cooldownOf } from '../cooldown.ts'
import { type Instance, instanceView } from '../queries.ts'
import { updateInstance } from '../update.ts'

interface Props {
  project: string
  instance: string
}

/** `default` is the absence of a policy, which the API has no value for. */
type Choice = 'default' | NonNullable<Instance['autoRestartPolicy']>

const choices: readonly { value: Choice; label: string }[] = [
  { value: 'default', label: 'Default' },
  { value: 'never', label: 'Never' },
  { value: 'best_effort', label: 'Best effort' },
]

/** The setting for automatic restarts after a failure. */
export function AutoRestartCard({ project, instance: name }: Props) {
  const { data: instance } = useSuspenseQuery(instanceView(project, name))
  return (
    <Card title="Auto-restart">
      <div className="space-y-5">
        <PolicyForm project={project} instance={instance} />
        <dl className="grid w-fit gap-x-8 gap-y-3 text-sm sm:grid-cols-2">
          <Cooldown instance={instance} />
          <Row
            label={
              <Term tip="When the instance last restarted automatically. N/A if it never has.">
                Last auto-restarted
              </Term>
            }
          >
            {instance.timeLastAutoRestarted ? <DateTime value={instance.timeLastAutoRestarted} /> : 'N/A'}
          </Row>
        </dl>
      </div>
    </Card>
  )
}

function PolicyForm({ project, instance }: { project: string; instance: Instance }) {
  const queryClient = useQueryClient()
  const [selected, setSelected] = useState<Choice>()
  const [isPending, setPending] = useState(false)
  const whyNotAllowed = useWhyNotInProject(project)
  const stored: Choice = instance.autoRestartPolicy ?? 'default'
  const shown = selected ?? stored
  const isDirty = shown !== stored
  const guard = useUnsavedGuard(isDirty, sideWords)

  async function save(): Promise<void> {
    setPending(true)
    try {
      const autoRestartPolicy = shown === 'default' ? null : shown
      await updateInstance(queryClient, { project, instance: instance.name }, { autoRestartPolicy })
      setSelected(undefined)
      toast.success('Instance auto-restart policy updated')
    } catch (error) {
      toast.error({ title: 'Could not update auto-restart policy', text: failureText(asFailure(error)) })
    } finally {
      setPending(false)
    }
  }

  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Field
        label="Policy"
        hint="The system default is to restart, the same as Best effort. It may change in the future."
        className="max-w-medium"
      >
        <Select options={choices} value={shown} onChange={setSelected} disabled={isPending} />
      </Field>
      <Button
        type="submit"
        kind="primary"
        pending={isPending}
        pendingLabel="Saving"
        disabledReason={whyNotAllowed ?? (isDirty ? undefined : 'The policy has not been changed')}
      >
        Save
      </Button>
      {guard.dialog}
    </form>
  )
}

function Cooldown({ instance }: { instance: Instance }) {
  const { until, note } = cooldownOf(instance, useSecond())
  return (
    <Row
      label={
        <Term tip="A failed instance is not restarted again before this time. N/A if it never was, or if the time has passed.">
          Cooldown expiration
        </Term>
      }
    >
      {until ? <DateTime value={until} /> : 'N/A'}
      {note && <span className="text-muted"> ({note})</span>}
    </Row>
  )
}

function Row({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="text-strong">{children}</dd>
    </div>
  )
}
