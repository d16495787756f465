import * as op from '@gantry/api/client/operations.gen'
import { noBackupTarget } from '@gantry/api/backups/backup-place.rules'
import { generateName } from '@gantry/api/base/name.rules'
import { instanceSnapshotStart } from '@gantry/api/storage/instance-snapshot.rules'
import { hasMachine } from '@gantry/api/system/fleet.rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useWhyLacking } from '#/data/fleet.ts'
import { useOp } from '#/data/use-op.ts'
import { NewTags } from '#/features/tags/NewTags.tsx'
import { type Instance, offeredInstances } from '#/features/instances/queries.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { linkedSuccessMessage } from '#/kit/feedback/success-message.tsx'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { useOffered } from '#/kit/list/use-offered.ts'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { randomHex } from '#/kit/page/bytes.ts'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { backupLink } from './links.ts'
import { type BackupPlace, backupPlaces } from './queries.ts'

interface Props {
  project: string
  /** Without one, the form asks which. */
  instance?: Instance
  onClose: () => void
}

/** Begins a backup, once it is known where backups can be written. */
export function BackUpDialog(props: Props) {
  const { data, error } = useQuery(backupPlaces(props.project))
  if (!data && !error)
    return (
      <DialogForm
        title="Back up instance"
        submitLabel="Back up"
        disabled="Loading the backup targets"
        initial={{}}
        save={async () => undefined}
        onClose={props.onClose}
      >
        <Skeleton className="h-40 w-full" />
      </DialogForm>
    )
  return <Form {...props} places={data?.items ?? []} whyNotRead={error ? failureText(error) : undefined} />
}

interface FormProps extends Props {
  places: readonly BackupPlace[]
  whyNotRead: string | undefined
}

function Form({ project, instance, onClose, places, whyNotRead }: FormProps) {
  const backUp = useOp(op.instanceBackupCreate)
  const offered = useOffered(offeredInstances(project), !instance)
  const find = (name: string): Instance | undefined =>
    instance ?? offered.data?.find((other) => other.name === name)
  const [initial] = useState(() => ({
    instance: instance?.name ?? '',
    name: instance ? generateName(randomHex, instance.name) : '',
    description: '',
    target: (places.find(({ isDefault }) => isDefault) ?? places[0])?.name ?? '',
  }))
  const whyNotLive = useWhyLacking('live_snapshot')
  const whyNotYet = (name: string): string | undefined => {
    const state = find(name)?.runState
    if (state !== undefined && hasMachine(state) && whyNotLive) return whyNotLive
    return state === undefined || instanceSnapshotStart.includes(state)
      ? undefined
      : 'Wait until the instance runs or is stopped'
  }
  return (
    <DialogForm
      title="Back up instance"
      submitLabel="Back up"
      pendingLabel="Backing up"
      disabled={
        whyNotRead ?? (places.length === 0 ? `There is no place for backups. ${noBackupTarget}` : undefined)
      }
      initial={initial}
      save={({ target, ...values }, send) =>
        backUp.run({ query: { project }, body: { ...values, backupTarget: target } }, send)
      }
      saved={({ name }) =>
        linkedSuccessMessage('backup', name, 'is being created', backupLink(project, name))
      }
      whyNotYet={(values) => whyNotYet(values.instance)}
      onClose={onClose}
    >
      {instance ? (
        <p>
          All disks of <strong className="wrap-anywhere">{instance.name}</strong> at one point in time, with
          the settings of the instance.
        </p>
      ) : (
        <ChoiceField
          name="instance"
          label="Instance"
          {...choicesOf(offered)}
          placeholder="Select an instance"
          options={(offered.data ?? []).map(({ name }) => ({ value: name, label: name }))}
        />
      )}
      <RunningNote find={find} />
      <NameField name="name" />
      <DescriptionField name="description" />
      <ChoiceField
        name="target"
        label="Target"
        hint="Only what the target lacks is sent: a second backup sends what changed."
        options={places.map(({ name, isDefault }) => ({
          value: name,
          label: name,
          ...(isDefault && { detail: 'Default' }),
        }))}
      />
      <NewTags kind="instance-backup" project={project} />
    </DialogForm>
  )
}

function RunningNote({ find }: { find: (name: string) => Instance | undefined }) {
  const state = find(useWatch<{ instance: string }, 'instance'>({ name: 'instance' }))?.runState
  if (state === undefined || !hasMachine(state)) return null
  return (
    <p className="text-muted">
      The instance keeps running. If its guest agent can freeze the file systems for a moment, the backup is
      consistent; else its disks will hold what a power cut would have left. Stop the instance first if its
      programs cannot recover from that.
    </p>
  )
}
