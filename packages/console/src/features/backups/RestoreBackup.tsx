import * as op from '@gantry/api/client/operations.gen'
import { allows } from '@gantry/api/base/state.rules'
import { consistencyWords, nameWith, restoredInPlace } from '@gantry/api/storage/instance-snapshot.rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { Failure } from '#/data/failure.ts'
import { useOp } from '#/data/use-op.ts'
import { type Instance, instanceById, instanceDisks } from '#/features/instances/queries.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { CheckboxField, ChoiceField, RadioField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { NameField } from '#/kit/forms/fields.tsx'
import { formatCount, formatSeries } from '#/ui/data/format-amounts.ts'
import { formatBytes, formatDateTime } from '#/ui/data/format.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import type { Backup } from './queries.ts'

interface Props {
  project: string
  backup: Backup
  onClose: () => void
}

interface Values {
  type: 'instance' | 'in_place' | 'disk'
  name: string
  start: boolean
  keepPresent: boolean
  diskId: string
  diskName: string
}

const restored = (name: string): string => nameWith(name, '-restored')

const types = [
  { value: 'instance', label: 'As a new instance' },
  { value: 'in_place', label: 'In place: replace the disks of the instance' },
  { value: 'disk', label: 'One disk, as a new disk' },
] as const

/** Restores a backup in one of the ways that the API has. Nothing changes before all bytes are there. */
export function RestoreBackup({ project, backup, onClose }: Props) {
  const restore = useOp(op.instanceBackupRestore)
  const { data: instance, error } = useQuery(instanceById(backup.instanceId))
  const [first] = backup.disks
  const [initial] = useState<Values>({
    type: 'instance',
    name: restored(backup.instanceName),
    start: false,
    keepPresent: true,
    diskId: first?.diskId ?? '',
    diskName: first ? restored(first.name) : '',
  })
  return (
    <DialogForm
      title="Restore backup"
      submitLabel="Restore"
      pendingLabel="Restoring"
      initial={initial}
      save={async (values, send) => {
        await restore.run({ path: { instanceBackup: backup.id }, query: {}, body: bodyOf(values) }, send)
        return values
      }}
      saved={(values) => savedText(values, backup)}
      fieldOf={({ errorCode }, { type }) =>
        errorCode === 'ObjectAlreadyExists' && type === 'disk' ? 'diskName' : undefined
      }
      whyNotYet={({ type }) => (type === 'in_place' ? whyNotInPlace(backup, instance, error) : undefined)}
      onClose={onClose}
    >
      <p>
        <strong className="wrap-anywhere">{backup.name}</strong> holds{' '}
        {formatCount(backup.disks.length, 'disk')} of{' '}
        <strong className="wrap-anywhere">{backup.instanceName}</strong>, {formatBytes(backup.size)}, of{' '}
        {formatDateTime(backup.timeCreated)}
        {backup.consistency && `: ${consistencyWords[backup.consistency].toLowerCase()}`}.
      </p>
      <RadioField name="type" label="Restore" options={types} column />
      <FieldsOfType project={project} backup={backup} instance={instance} error={error} />
    </DialogForm>
  )
}

function bodyOf({ type, name, start, keepPresent, diskId, diskName }: Values) {
  switch (type) {
    case 'instance':
      return { type, name, start }
    case 'in_place':
      return { type, keepPresent }
    case 'disk':
      return { type, diskId, name: diskName }
    default:
      return type satisfies never
  }
}

function savedText({ type, name, diskName }: Values, { name: backup, instanceName }: Backup): string {
  switch (type) {
    case 'instance':
      return `Restoring backup ${backup} as instance ${name}`
    case 'in_place':
      return `Restoring instance ${instanceName} from backup ${backup}`
    case 'disk':
      return `Restoring a disk of backup ${backup} as disk ${diskName}`
    default:
      return type satisfies never
  }
}

/** As the server refuses it, before it is sent. */
function whyNotInPlace(
  { instanceName, projectId }: Backup,
  instance: Instance | undefined,
  error: Failure | null,
): string | undefined {
  if (error && error.statusCode !== 404) return failureText(error)
  if (error || (instance && instance.projectId !== projectId))
    return `Instance ${instanceName} is no longer in this project. Restore the backup as a new instance`
  if (!instance) return 'Looking for the instance'
  return allows(restoredInPlace, 'restore', instance.runState)
    ? undefined
    : `Instance ${instance.name} is ${instance.runState}. Stop it first`
}

interface PartProps {
  project: string
  backup: Backup
  instance: Instance | undefined
  error: Failure | null
}

function FieldsOfType({ project, backup, instance, error }: PartProps) {
  const type = useWatch<Values, 'type'>({ name: 'type' })
  if (type === 'in_place') {
    const whyNot = whyNotInPlace(backup, instance, error)
    if (!instance || whyNot) return <Note kind="busy">{`${whyNot ?? ''}.`}</Note>
    return <InPlace project={project} backup={backup} instance={instance} />
  }
  if (type === 'disk') return <OneDisk backup={backup} />
  const { ncpus, memory } = backup.settings
  return (
    <>
      <p className="text-sm text-muted">
        {`With ${formatCount(ncpus, 'vCPU')}, ${formatBytes(memory)} of memory and new addresses. It lacks networks, keys and groups that no longer exist.`}
      </p>
      <NameField name="name" label="Name of the instance" hint="Also its hostname." />
      <CheckboxField name="start">Start instance</CheckboxField>
    </>
  )
}

/** What becomes of each disk of the instance. */
function InPlace({ project, backup, instance }: { project: string; backup: Backup; instance: Instance }) {
  const keepsPresent = useWatch<Values, 'keepPresent'>({ name: 'keepPresent' })
  const { data } = useQuery(instanceDisks(project, instance.name))
  const present = data?.items ?? []
  const ids = new Set(backup.disks.map(({ diskId }) => diskId))
  const replaced = present.filter(({ id }) => ids.has(id)).map(({ name }) => name)
  const kept = present.filter(({ id }) => !ids.has(id)).map(({ name }) => name)
  const presentIds = new Set(present.map(({ id }) => id))
  const created = data ? backup.disks.filter(({ diskId }) => !presentIds.has(diskId)) : []
  return (
    <>
      <div className="grid gap-3 text-sm">
        <Disks title="Replaced by what the backup holds" names={replaced} />
        <Disks title="Created again from the backup" names={created.map(({ name }) => name)} />
        <Disks title="Unchanged, and still attached" names={kept} />
        <p className="text-muted">vCPUs, memory, network and other settings stay as they are now.</p>
      </div>
      <CheckboxField name="keepPresent">Keep the present state as an instance snapshot</CheckboxField>
      {!keepsPresent && <p className="text-sm">What the replaced disks hold now is gone for good.</p>}
    </>
  )
}

function Disks({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <section>
      <h3 className="font-semibold text-strong">{title}</h3>
      <p className="wrap-anywhere">{formatSeries(names)}</p>
    </section>
  )
}

function OneDisk({ backup: { disks } }: { backup: Backup }) {
  const { setValue } = useFormContext<Values>()
  return (
    <>
      <ChoiceField
        name="diskId"
        label="Disk"
        options={disks.map(({ diskId, name, size, isBoot }) => ({
          value: diskId,
          label: name,
          detail: `${formatBytes(size)}${isBoot ? ', boot disk' : ''}`,
        }))}
        onChoose={(id) => {
          const disk = disks.find(({ diskId }) => diskId === id)
          if (disk) setValue('diskName', restored(disk.name))
        }}
      />
      <NameField name="diskName" label="Name of the new disk" />
    </>
  )
}
