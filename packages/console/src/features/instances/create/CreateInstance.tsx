import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Send } from '#/data/client.ts'
import { asFailure } from '#/data/failure.ts'
import { useWhyLacking } from '#/data/fleet.ts'
import { useOp } from '#/data/use-op.ts'
import { randomHex } from '#/kit/page/bytes.ts'
import { CheckboxField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { PageForm } from '#/kit/forms/PageForm.tsx'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { linkedSuccessMessage } from '#/kit/feedback/success-message.tsx'
import { allDisks } from '#/features/disks/queries.ts'
import { allProjectImages, allSiloImages } from '#/features/images/queries.ts'
import { allIpPools } from '#/features/ip-pools/queries.ts'
import { allSshKeys } from '#/features/ssh-keys/queries.ts'
import { NewTags } from '#/features/tags/NewTags.tsx'
import { formatNumber, plural } from '#/ui/data/format.ts'
import { cloneOf } from './clone/clone-values.ts'
import { CloneNote } from './clone/CloneNote.tsx'
import type { CloneSource } from './clone/source.ts'
import { CopyStatus, useCopies } from './clone/copies.tsx'
import { InstanceDocs } from '../parts.tsx'
import { instanceLink } from '../links.ts'
import { type Instance, instanceView } from '../queries.ts'
import { instanceBody } from './body.ts'
import { BootDiskSection } from './BootDiskSection.tsx'
import { ConfigurationSection } from './ConfigurationSection.tsx'
import { DisksSection } from './DisksSection.tsx'
import { FormSection } from './FormSection.tsx'
import { GroupsSection } from './GroupsSection.tsx'
import { HardwareSection } from './HardwareSection.tsx'
import { NetworkingSection } from './NetworkingSection.tsx'
import { bootableDisks, bootSourceProblem } from './problems.ts'
import { CapacityAside, QuotaAside } from './Asides.tsx'
import { SshKeysSection } from './SshKeysSection.tsx'
import { userDataOf } from './user-data/user-data.ts'
import { fieldOf, namingDisk } from './taken-name.ts'
import { hardwareOf, initialValues, type InstanceValues } from './values.ts'

interface Props {
  project: string
  /** The instance to clone. */
  source?: CloneSource
}

export function CreateInstance({ project, source }: Props) {
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
    return { initial: { ...base, ...clone?.values }, clone, bootSource: base.bootSource }
  })
  const whyNotAllowed = useWhyNotInProject(project)
  const create = useOp(op.instanceCreate, {
    seeds: ({ name }) => instanceView(project, name),
  })
  const whyNoExternal = useWhyLacking('external_addresses')
  const { copying, withCopies } = useCopies(project)

  async function save(values: InstanceValues, send?: Send): Promise<Instance> {
    const userData = await userDataOf(values)
    const images = [...siloImages, ...projectImages]
    const hasExternalAddresses = whyNoExternal === undefined
    const context = { images, userData, randomHex, hasExternalAddresses }
    return withCopies(values, (snapshotOf) =>
      create
        .run({ query: { project }, body: instanceBody(values, { ...context, snapshotOf }) }, send)
        .catch((error: unknown) => Promise.reject(namingDisk(asFailure(error), values))),
    )
  }

  return (
    <PageForm<InstanceValues, Instance>
      title="Create instance"
      pendingLabel="Creating instance"
      docs={<InstanceDocs />}
      cancelTo={{ to: '/projects/$project/instances', params: { project } }}
      initial={initial}
      save={save}
      saved={({ name }) => linkedSuccessMessage('instance', name, 'created', instanceLink(project, name))}
      onSaved={({ name }) => void navigate(instanceLink(project, name))}
      fieldOf={fieldOf}
      disabled={whyNotAllowed}
      whyNotYet={(values) =>
        bootSourceProblem(values, {
          silo: siloImages.length,
          project: projectImages.length,
          disk: bootableDisks(disks, values.disks).length,
          copy: values.bootCopy ? 1 : 0,
        })
      }
      summary={summary}
      status={copying && <CopyStatus progress={copying} />}
    >
      {source && clone && (
        <CloneNote project={project} instance={source.instance.name} clone={clone} bootSource={bootSource} />
      )}
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_minmax(16rem,19.5rem)]">
        <div className="min-w-0">
          <FormSection title="Basics">
            <NameField name="name" hint="Lower-case letters, digits and dashes." />
            <DescriptionField name="description" />
            <CheckboxField name="start">Start instance</CheckboxField>
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
              <NewTags kind="instance" project={project} />
            </div>
          </FormSection>
        </div>
        <div className="space-y-4 self-start max-lg:max-w-form lg:sticky lg:top-5.5">
          <CapacityAside project={project} />
          <QuotaAside />
        </div>
      </div>
    </PageForm>
  )
}

function summary(values: InstanceValues): string {
  const { ncpus, memoryGib } = hardwareOf(values)
  const machine = `${formatNumber(ncpus)} ${plural('vCPU', ncpus)} · ${formatNumber(memoryGib)} GiB`
  if (values.bootSource === 'disk') return machine
  return `${machine} · ${formatNumber(values.bootDiskSize ?? 0)} GiB boot disk`
}
