import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { Tag } from '@gantry/api/tags/tag.rules'
import type { Send } from '#/data/client.ts'
import { asFailure } from '#/data/failure.ts'
import { useWhyLacking } from '#/data/fleet.ts'
import { useOp } from '#/data/use-op.ts'
import { randomHex } from '#/kit/page/bytes.ts'
import { CheckboxField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField } from '#/kit/forms/fields.tsx'
import { PageForm } from '#/kit/forms/PageForm.tsx'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { linkedSuccessMessage } from '#/kit/feedback/success-message.tsx'
import { allDisks } from '#/features/disks/queries.ts'
import { isCd } from '#/features/images/parts.ts'
import { allProjectImages, allSiloImages } from '#/features/images/queries.ts'
import { allIpPools } from '#/features/ip-pools/queries.ts'
import { allSshKeys } from '#/features/ssh-keys/queries.ts'
import { NewTags } from '#/features/tags/NewTags.tsx'
import type { Template } from '#/features/templates/queries.ts'
import { formatNumber, plural } from '#/ui/data/format.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { lazyPart, loadWithRetry } from '#/ui/lazy-part.tsx'
import { cloneOf } from './clone/clone-values.ts'
import { CloneNote } from './clone/CloneNote.tsx'
import type { CloneSource } from './clone/source.ts'
import { CopyStatus, useCopies } from './clone/copies.tsx'
import { InstanceDocs } from '../parts.tsx'
import { instanceLink } from '../links.ts'
import { type Instance, instanceView } from '../queries.ts'
import { batchBody, whyNotMany } from './batch-body.ts'
import { instanceBody } from './body.ts'
import { BootDiskSection } from './BootDiskSection.tsx'
import { ConfigurationSection } from './ConfigurationSection.tsx'
import { DisksSection } from './DisksSection.tsx'
import { FormSection } from './FormSection.tsx'
import { GroupsSection } from './GroupsSection.tsx'
import { HardwareSection } from './HardwareSection.tsx'
import { NameFields } from './NameFields.tsx'
import { NetworkingSection } from './NetworkingSection.tsx'
import { bootableDisks, bootSourceProblem } from './problems.ts'
import { CapacityAside, QuotaAside } from './Asides.tsx'
import { SshKeysSection } from './SshKeysSection.tsx'
import { Lockable, UsedTemplate } from './template/Lockable.tsx'
import { SaveTemplate } from './template/SaveTemplate.tsx'
import { valuesOf } from './template/template-values.ts'
import { useTemplateCreation, whyNotFrom } from './template/use-template-creation.ts'
import { userDataOf } from './user-data/user-data.ts'
import { fieldOf, namingDisk } from './taken-name.ts'
import { countOf, hardwareOf, initialValues, type InstanceValues } from './values.ts'

const TemplateNote = lazyPart(() => import('./template/TemplateNote.tsx'), 'TemplateNote')

interface Props {
  project: string
  /** The instance to clone. */
  source?: CloneSource
  /** The template to begin with. */
  template?: Template
  /** It is opened to save a template. */
  isForTemplate?: boolean
}

export function CreateInstance({ project, source, template, isForTemplate }: Props) {
  const navigate = useNavigate()
  const { data: siloImages } = useSuspenseQuery(allSiloImages)
  const { data: projectImages } = useSuspenseQuery(allProjectImages(project))
  const { data: disks } = useSuspenseQuery(allDisks(project))
  const { data: sshKeys } = useSuspenseQuery(allSshKeys)
  const { data: pools } = useSuspenseQuery(allIpPools)
  // Read once: a refresh must not change a form the user is filling in.
  const [{ initial, clone, bootSource }] = useState(() => {
    const offered = { siloImages, projectImages, sshKeys, pools, disks }
    const base = initialValues(offered)
    const clone = source && cloneOf(source, offered)
    const filled = template && valuesOf(template, offered)
    // A template keeps no data of disks.
    const fresh = isForTemplate && clone ? { bootSource: base.bootSource, ...clone.disks.fresh } : {}
    const initial = { ...base, ...clone?.values, ...fresh, ...filled }
    return { initial, clone, bootSource: base.bootSource }
  })
  const whyNotAllowed = useWhyNotInProject(project)
  const create = useOp(op.instanceCreate, {
    seeds: ({ name }) => instanceView(project, name),
  })
  const createMany = useOp(op.instanceBatchCreate)
  const createFromTemplate = useTemplateCreation(project, template, initial)
  const whyNoExternal = useWhyLacking('external_addresses')
  const { copying, withCopies } = useCopies(project)

  async function save(values: InstanceValues, send?: Send): Promise<Saved> {
    const userData = await userDataOf(values)
    const images = [...siloImages, ...projectImages]
    const hasExternalAddresses = whyNoExternal === undefined
    const context = { images, userData, randomHex, hasExternalAddresses }
    if (createFromTemplate) return createFromTemplate(values, context, send)
    if (countOf(values) > 1) {
      const body = batchBody(values, { ...context, snapshotOf: new Map() })
      return createMany.run({ query: { project }, body }, send)
    }
    return withCopies(values, (snapshotOf) =>
      create
        .run({ query: { project }, body: instanceBody(values, { ...context, snapshotOf }) }, send)
        .catch((error: unknown) => Promise.reject(namingDisk(asFailure(error), values))),
    )
  }

  async function codeOf(values: InstanceValues, tags: readonly Tag[]) {
    const { cloneSteps } = await loadWithRetry(() => import('./clone/clone-steps.ts'))
    return cloneSteps(project, values, tags, {
      images: [...siloImages, ...projectImages],
      userData: await userDataOf(values),
      randomHex,
      hasExternalAddresses: whyNoExternal === undefined,
    })
  }

  return (
    <PageForm<InstanceValues, Saved>
      title="Create instance"
      pendingLabel="Creating instance"
      docs={<InstanceDocs />}
      cancelTo={{ to: '/projects/$project/instances', params: { project } }}
      initial={initial}
      save={save}
      {...(clone && { codeOf })}
      saved={(saved) =>
        'items' in saved
          ? { text: `${saved.items.length} instances are being created` }
          : linkedSuccessMessage('instance', saved.name, 'created', instanceLink(project, saved.name))
      }
      onSaved={(saved) =>
        void navigate(
          'items' in saved
            ? { to: '/projects/$project/instances', params: { project } }
            : instanceLink(project, saved.name),
        )
      }
      fieldOf={fieldOf}
      disabled={whyNotAllowed}
      whyNotYet={(values) =>
        (countOf(values) > 1 ? whyNotMany(values)[0] : undefined) ??
        (template && whyNotFrom(template)) ??
        (template?.fixed.includes('boot_source')
          ? undefined
          : bootSourceProblem(values, {
              silo: siloImages.length,
              project: projectImages.length,
              installer: [...siloImages, ...projectImages].filter(isCd).length,
              disk: bootableDisks(disks, values.disks).length,
              copy: values.bootCopy ? 1 : 0,
              template: values.bootTemplate ? 1 : 0,
            }))
      }
      summary={summary}
      status={copying && <CopyStatus progress={copying} />}
    >
      <UsedTemplate value={template}>
        {template && <TemplateNote template={template} />}
        {isForTemplate && (
          <Note className="mb-4 max-w-form">
            Fill in what the template keeps, then choose Save as template at the end of the form.
          </Note>
        )}
        {source && clone && (
          <CloneNote
            project={project}
            instance={source.instance.name}
            clone={clone}
            bootSource={bootSource}
          />
        )}
        <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_minmax(16rem,19.5rem)]">
          <div className="min-w-0">
            <FormSection title="Basics">
              <NameFields project={project} />
              <DescriptionField name="description" />
              <Lockable field="start">
                <StartField />
              </Lockable>
            </FormSection>
            <HardwareSection />
            <BootDiskSection project={project} />
            <DisksSection project={project} />
            <SshKeysSection />
            <GroupsSection project={project} />
            <FormSection title="Advanced">
              <div>
                <NetworkingSection project={project} />
                <ConfigurationSection />
                <Lockable field="tags">
                  <NewTags kind="instance" project={project} />
                </Lockable>
              </div>
            </FormSection>
            <SaveTemplate
              project={project}
              template={template}
              opensAtOnce={isForTemplate === true && source !== undefined}
            />
          </div>
          <div className="space-y-4 self-start max-lg:max-w-form lg:sticky lg:top-5.5">
            <CapacityAside project={project} />
            <QuotaAside />
          </div>
        </div>
      </UsedTemplate>
    </PageForm>
  )
}

type Saved = Instance | OutputOf<'instanceBatchCreate'>

function StartField() {
  const count = useWatch<InstanceValues, 'count'>({ name: 'count' })
  return <CheckboxField name="start">Start {countOf({ count }) > 1 ? 'instances' : 'instance'}</CheckboxField>
}

function summary(values: InstanceValues): string {
  const { ncpus, memoryGib } = hardwareOf(values)
  const count = countOf(values)
  const times = count > 1 ? `${count} × ` : ''
  const machine = `${times}${formatNumber(ncpus)} ${plural('vCPU', ncpus)} · ${formatNumber(memoryGib)} GiB`
  if (values.bootSource === 'disk') return machine
  return `${machine} · ${formatNumber(values.bootDiskSize ?? 0)} GiB boot disk`
}
