import * as op from '@gantry/api/client/operations.gen'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Failure } from '../../../data/failure.ts'
import { useOp } from '../../../data/use-op.ts'
import { formatNumber, plural } from '../../../ui/format.ts'
import { toBase64 } from '../../common/base64.ts'
import { CheckboxField } from '../../common/forms/choice-fields.tsx'
import { DescriptionField, NameField } from '../../common/forms/fields.tsx'
import { PageForm } from '../../common/forms/PageForm.tsx'
import { useWhyNotInProject } from '../../common/project-permission.ts'
import { randomHex } from '../../common/random-hex.ts'
import { told } from '../../common/told.tsx'
import { allDisks } from '../../disks/queries.ts'
import { allProjectImages, allSiloImages } from '../../images/queries.ts'
import { allIpPools } from '../../networking/queries.ts'
import { allSshKeys } from '../../ssh-keys/queries.ts'
import { type Clone, cloneOf } from '../clone/clone-values.ts'
import { CloneNote } from '../clone/CloneNote.tsx'
import type { CloneSource } from '../clone/source.ts'
import { InstanceDocs } from '../InstanceDocs.tsx'
import { type Instance, instancePaths, instanceView } from '../queries.ts'
import { BootDiskSection } from './BootDiskSection.tsx'
import { instanceBody } from './body.ts'
import { ConfigurationSection } from './ConfigurationSection.tsx'
import { DisksSection } from './DisksSection.tsx'
import { FormSection } from './FormSection.tsx'
import { GroupsSection } from './GroupsSection.tsx'
import { HardwareSection } from './HardwareSection.tsx'
import { NetworkingSection } from './NetworkingSection.tsx'
import { bootableDisks, bootSourceProblem } from './problems.ts'
import { PlacementAside } from './PlacementAside.tsx'
import { QuotaAside } from './QuotaAside.tsx'
import { SshKeysSection } from './SshKeysSection.tsx'
import { hardwareOf, initialValues, type InstanceValues } from './values.ts'

interface Props {
  project: string
  /** The instance that this one is to be like. */
  source?: CloneSource
}

export function CreateInstance({ project, source }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: siloImages } = useSuspenseQuery(allSiloImages)
  const { data: projectImages } = useSuspenseQuery(allProjectImages(project))
  const { data: disks } = useSuspenseQuery(allDisks(project))
  const { data: sshKeys } = useSuspenseQuery(allSshKeys)
  const { data: pools } = useSuspenseQuery(allIpPools)
  // Read once: what arrives later must not change what somebody has begun to fill in.
  const [{ initial, left }] = useState(() => {
    const offered = { siloImages, projectImages, sshKeys, pools, disks }
    const { values, left } = source ? cloneOf(source, offered) : nothingCloned
    return { initial: { ...initialValues(offered), ...values }, left }
  })
  const whyNotAllowed = useWhyNotInProject(project)
  const create = useOp(op.instanceCreate, {
    onSuccess: (instance) =>
      queryClient.setQueryData(instanceView(project, instance.name).queryKey, instance),
  })

  async function save(values: InstanceValues): Promise<Instance> {
    const file = values.userData
    const userData = file && toBase64(new Uint8Array(await file.arrayBuffer()))
    const body = instanceBody(values, { images: [...siloImages, ...projectImages], userData, randomHex })
    return create.run({ query: { project }, body })
  }

  return (
    <PageForm<InstanceValues, Instance>
      title="Create instance"
      pendingLabel="Creating instance"
      docs={<InstanceDocs />}
      cancelTo={instancePaths.list(project)}
      initial={initial}
      save={save}
      saved={({ name }) => told('Instance', name, 'created')}
      onSaved={({ name }) =>
        void navigate({ to: instancePaths.storage(project, name) } as Parameters<typeof navigate>[0])
      }
      fieldOf={fieldOf}
      disabled={whyNotAllowed}
      whyNotYet={(values) =>
        bootSourceProblem(values, {
          silo: siloImages.length,
          project: projectImages.length,
          disk: bootableDisks(disks, values.disks).length,
        })
      }
      summary={summary}
    >
      {source && <CloneNote project={project} instance={source.instance.name} left={left} />}
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_minmax(16rem,19.5rem)]">
        <div className="min-w-0">
          <FormSection title="Basics">
            <NameField name="name" hint="Lower-case letters, digits and dashes." />
            <DescriptionField name="description" />
            <CheckboxField name="start">Start Instance</CheckboxField>
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
            </div>
          </FormSection>
        </div>
        <div className="space-y-4 self-start max-lg:max-w-form lg:sticky lg:top-5.5">
          <QuotaAside />
          <PlacementAside project={project} />
        </div>
      </div>
    </PageForm>
  )
}

const nothingCloned: Clone = { values: {}, left: [] }

/** A taken name is shown where it was typed: the instance's own, or that of its boot disk. */
function fieldOf({ errorCode, message }: Failure): 'name' | 'bootDiskName' | undefined {
  if (errorCode !== 'ObjectAlreadyExists') return undefined
  return /^disk\b/i.test(message) ? 'bootDiskName' : 'name'
}

function summary(values: InstanceValues): string {
  const { ncpus, memoryGib } = hardwareOf(values)
  const machine = `${formatNumber(ncpus)} ${plural('vCPU', ncpus)} · ${formatNumber(memoryGib)} GiB`
  if (values.bootSource === 'disk') return machine
  return `${machine} · ${formatNumber(values.bootDiskSize ?? 0)} GiB boot disk`
}
