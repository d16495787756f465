import { GiB } from '@gantry/api/base/bytes.rules'
import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { instanceFileWords } from '@gantry/api/compute/instance-file.rules'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { opQuery } from '#/data/queries.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { uploadRecords } from '#/features/images/upload/browser-uploads.ts'
import { useFirst } from '#/features/recycle-bin/use-first.ts'
import { NewTags } from '#/features/tags/NewTags.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { NumberField } from '#/kit/forms/choice-fields.tsx'
import { NameField } from '#/kit/forms/fields.tsx'
import { newTagsField } from '#/kit/forms/form-props.ts'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { PageHead } from '#/kit/list/ListPage.tsx'
import { formatBytes } from '#/ui/data/format.ts'
import { Button } from '#/ui/Button.tsx'
import { ErrorNote } from '#/ui/feedback/Note.tsx'
import { cpusProblem, memoryProblem } from '../hardware.ts'
import { InstanceDocs } from '../parts.tsx'

type Plan = OutputOf<'instanceImportPlan'>

interface Props {
  project: string
  upload: string
}

const title = 'Import instance'

interface Values {
  name: string
  [newTagsField]: Plan['tags']
  ncpus: number | null
  memory: number | null
}

/** What an uploaded file holds, and what is made of it. */
export function ImportForm({ project, upload }: Props) {
  const { data, error } = useFirst(opQuery(op.instanceImportPlan, { path: { upload } }))
  const navigate = useNavigate()
  if (!data)
    return (
      <>
        <PageHead title={title} docs={<InstanceDocs />} />
        {error && (
          <div className="max-w-xl space-y-4.5">
            <ErrorNote title="No instance can be made of this file" errors={[failureText(error)]} />
            <Button
              onClick={() =>
                void navigate({ to: '/projects/$project/instances-import', params: { project }, search: {} })
              }
            >
              Choose another file
            </Button>
          </div>
        )}
      </>
    )
  return <Planned project={project} upload={upload} plan={data} />
}

function Planned({ project, upload, plan }: Props & { plan: Plan }) {
  const begin = useOp(op.instanceImport)
  const whyNot = useWhyNotInProject(project)
  const list = { to: '/projects/$project/instances', params: { project } } as const
  return (
    <SideForm<Values, string>
      title={title}
      initial={{ name: plan.name, ncpus: plan.ncpus, memory: plan.memory / GiB, [newTagsField]: plan.tags }}
      disabled={whyNot}
      submitLabel="Import instance"
      pendingLabel="Importing"
      save={async ({ name, ncpus, memory }, send) => {
        await begin.run(
          { path: { upload }, body: { name, ncpus: ncpus ?? 0, memory: (memory ?? 0) * GiB } },
          send,
        )
        uploadRecords.forget(upload)
        return name
      }}
      saved={(name) => `Importing instance ${name}. Tasks shows how far it is.`}
      closeTo={list}
    >
      <div className="max-w-xl space-y-4.5">
        <p>
          {`${instanceFileWords[plan.format].label}. The instance is created stopped.`}
          {!plan.hasDigests && ' The file names no digests, so its disks cannot be checked.'}
        </p>
        {plan.description !== '' && <p className="text-muted wrap-anywhere">{plan.description}</p>}
        <NameField name="name" hint="Also its hostname." />
        <NumberField name="ncpus" label="vCPUs" min={1} problem={(value) => cpusProblem(value, 'vCPUs')} />
        <NumberField name="memory" label="Memory" unit="GiB" min={1} problem={memoryProblem} />
        <NewTags kind="instance" project={project} />
        <Made title="Disks">
          {plan.disks.map(({ name, size, isBoot }) => (
            <li key={name}>{`${name}, ${formatBytes(size)}${isBoot ? ', boot disk' : ''}`}</li>
          ))}
        </Made>
        <Made title="Network interfaces">
          {plan.networkInterfaces.map((one) => (
            <li key={one.name}>{interfaceText(one)}</li>
          ))}
          {plan.networkInterfaces.length === 0 && <li>None</li>}
        </Made>
        {plan.losses.length > 0 && (
          <Made title="What changes">
            {plan.losses.map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </Made>
        )}
      </div>
    </SideForm>
  )
}

function interfaceText({ name, was, vpc, subnet }: Plan['networkInterfaces'][number]): string {
  const former = was === '' ? '' : ` (was in ${was})`
  return vpc === null || subnet === null
    ? `${name} is not made: there is no subnet for it${former}`
    : `${name} in ${vpc}/${subnet}${was === `${vpc}/${subnet}` ? '' : former}`
}

function Made({ title: heading, children }: { title: string; children: ReactNode }) {
  return (
    <section className="text-sm">
      <h2 className="font-semibold text-strong">{heading}</h2>
      <ul className="wrap-anywhere">{children}</ul>
    </section>
  )
}
