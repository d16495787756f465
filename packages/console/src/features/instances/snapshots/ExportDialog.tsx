import * as op from '@gantry/api/client/operations.gen'
import { pathOf } from '@gantry/api/client/client'
import { generateName } from '@gantry/api/base/name.rules'
import {
  exportLackWords,
  type InstanceFileFormat,
  instanceFileFormats,
  instanceFileWords,
} from '@gantry/api/compute/instance-file.rules'
import { hasMachine } from '@gantry/api/system/fleet.rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { call, type Send } from '#/data/client.ts'
import { Failure } from '#/data/failure.ts'
import { opQuery } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { ChoiceField, RadioField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { NameField } from '#/kit/forms/fields.tsx'
import { randomHex } from '#/kit/page/bytes.ts'
import { formatSeries } from '#/ui/data/format-amounts.ts'
import { formatBytes, formatDateTime } from '#/ui/data/format.ts'
import { saveFile } from '#/ui/save-file.ts'
import { type Instance, instanceDisks } from '../queries.ts'
import { instanceSnapshotsIn } from './queries.ts'

interface Props {
  project: string
  instance: Instance
  onClose: () => void
}

interface Values {
  format: InstanceFileFormat
  from: string
  name: string
}

/** Stands for a snapshot that is taken first. */
const anew = 'new'
const waitMs = 1000

const planOf = (instanceSnapshot: string, format: InstanceFileFormat) =>
  opQuery(op.instanceExportPlan, { path: { instanceSnapshot }, query: { format } })

/** Downloads an instance as one file, as an instance snapshot of it holds it. */
export function ExportDialog({ project, instance, onClose }: Props) {
  const take = useOp(op.instanceSnapshotCreate)
  const { data: snapshots } = useQuery(instanceSnapshotsIn(project, instance.id))
  const ready = snapshots?.filter(({ state }) => state === 'ready') ?? []
  const [initial] = useState<Values>(() => ({
    format: 'gantry',
    from: anew,
    name: generateName(randomHex, instance.name, 'export'),
  }))
  const save = async ({ format, from, name }: Values, send?: Send) => {
    const id =
      from === anew
        ? await readyOf(
            (
              await take.run(
                { query: { project }, body: { name, description: '', instance: instance.id } },
                send,
              )
            ).id,
          )
        : from
    const { data: plan } = await call(op.instanceExportPlan, {
      path: { instanceSnapshot: id },
      query: { format },
    })
    await download(
      `${pathOf(op.instanceExport.path, { instanceSnapshot: id })}?format=${format}`,
      plan.fileName,
    )
    return plan
  }
  return (
    <DialogForm
      title="Export instance"
      submitLabel="Export"
      pendingLabel="Preparing"
      initial={initial}
      save={save}
      saved={({ fileName, size }) => `Downloading ${fileName}, ${formatBytes(size)}`}
      onClose={onClose}
    >
      <RadioField
        name="format"
        label="Format"
        column
        options={instanceFileFormats.map((value) => ({ value, label: instanceFileWords[value].label }))}
      />
      <FormatText />
      <ChoiceField
        name="from"
        label="Disks and settings"
        options={[
          { value: anew, label: 'As they are now', detail: 'Takes an instance snapshot first' },
          ...ready.map(({ id, name, timeCreated }) => ({
            value: id,
            label: name,
            detail: formatDateTime(timeCreated),
          })),
        ]}
      />
      <Source project={project} instance={instance} />
    </DialogForm>
  )
}

function FormatText() {
  const format = useWatch<Values, 'format'>({ name: 'format' })
  return <p className="text-sm text-muted">{instanceFileWords[format].text}</p>
}

/** What becomes of the choice: the size of the file, and what it will lack. */
function Source({ project, instance }: Omit<Props, 'onClose'>) {
  const from = useWatch<Values, 'from'>({ name: 'from' })
  return from === anew ? (
    <>
      <NameField
        name="name"
        label="Name of the snapshot"
        hint="It stays until you delete it, and counts towards the quota."
      />
      <AtMost project={project} instance={instance} />
    </>
  ) : (
    <Planned snapshot={from} />
  )
}

function AtMost({ project, instance }: Omit<Props, 'onClose'>) {
  const { data } = useQuery(instanceDisks(project, instance.name))
  const size = data?.items.reduce((sum, disk) => sum + disk.size, 0)
  return (
    <div className="grid gap-2 text-sm text-muted">
      {size !== undefined && (
        <p>{`The file holds what is written of the disks: about ${formatBytes(size)} if they are full.`}</p>
      )}
      {hasMachine(instance.runState) && (
        <p>
          The instance keeps running. Stop it first if its programs cannot start from what a power cut would
          leave.
        </p>
      )}
    </div>
  )
}

function Planned({ snapshot }: { snapshot: string }) {
  const format = useWatch<Values, 'format'>({ name: 'format' })
  const { data, error } = useQuery(planOf(snapshot, format))
  if (error) return <p className="text-sm">{failureText(error)}</p>
  if (!data) return null
  return (
    <div className="grid gap-2 text-sm text-muted">
      <p>{`The file has ${formatBytes(data.size)}.`}</p>
      {data.leftOut.length > 0 && (
        <p>{`It does not hold ${formatSeries(data.leftOut.map((lack) => exportLackWords[lack]))}.`}</p>
      )}
    </div>
  )
}

/** The id of a snapshot once its disks are copied. */
async function readyOf(id: string): Promise<string> {
  for (;;) {
    const { data } = await call(op.instanceSnapshotView, { path: { instanceSnapshot: id } })
    if (data.state === 'ready') return id
    if (data.state === 'faulted')
      throw new Failure({
        message: data.failure?.message ?? 'The snapshot could not be taken',
        statusCode: 500,
        help: 'Delete the snapshot, then try again.',
      })
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/** The browser's own download, which needs no memory and resumes. In the preview there is no server that it could ask. */
async function download(path: string, name: string): Promise<void> {
  if (import.meta.env.MODE === 'preview') {
    saveFile(name, await (await fetch(path)).blob())
    return
  }
  const link = document.createElement('a')
  link.href = path
  link.download = name
  link.click()
}
