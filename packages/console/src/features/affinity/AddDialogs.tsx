import type { AffinityFamily } from '@gantry/api/compute/affinity.rules'
import { capitalise } from '@gantry/api/base/errors.rules'
import { instanceAllows } from '@gantry/api/compute/instance.rules'
import { allows } from '@gantry/api/base/state.rules'
import { useWatch } from 'react-hook-form'
import { useOp } from '#/data/use-op.ts'
import { sentenceCase } from '#/ui/data/format.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import type { Instance } from '#/features/instances/queries.ts'
import { choicesOf } from '#/kit/list/choices-of.ts'
import type { Offered } from '#/kit/list/use-offered.ts'
import { familyChanges, type Group, type Member, memberAt } from './queries.ts'
import { notIn } from './reasons.ts'
import { kindOf, memberMessage } from './words.tsx'

interface Props {
  family: AffinityFamily
  project: string
  group: string
  members: readonly Member[]
  instances: Offered<Instance>
  onClose: () => void
}

const canJoin = (instance: Instance | undefined): boolean =>
  instance !== undefined && allows(instanceAllows, 'addToAffinityGroup', instance.runState)

/** Selects an instance outside the group, in any state. */
export function AddMemberDialog({ family, project, group, members, instances, onClose }: Props) {
  const free = notIn(instances.data ?? [], members)
  const add = useOp(familyChanges[family].memberAdd)
  const named = (name: string) => free.find((instance) => instance.name === name)
  return (
    <DialogForm
      title="Add instance to group"
      submitLabel="Add to group"
      pendingLabel="Adding to group"
      initial={{ instance: '' }}
      whyNotYet={({ instance }) => {
        if (!instance) return 'Select an instance first'
        return canJoin(named(instance)) ? undefined : 'The instance must be stopped first'
      }}
      save={({ instance }, send) => add.run(memberAt(family, project, group, instance), send)}
      saved={({ value }) => memberMessage(family, value.name, 'added to', group)}
      onClose={onClose}
    >
      <p>Only stopped instances can be added to the group.</p>
      <ChoiceField
        name="instance"
        label="Instance"
        placeholder="Select an instance"
        {...choicesOf(instances)}
        options={free.map(({ name, runState }) => ({
          value: name,
          label: name,
          detail: sentenceCase(runState),
        }))}
      />
      <MustBeStopped named={named} />
    </DialogForm>
  )
}

function MustBeStopped({ named }: { named: (name: string) => Instance | undefined }) {
  const selected = useWatch<{ instance: string }, 'instance'>({ name: 'instance' })
  return canJoin(named(selected)) ? null : <Note>An instance must be stopped to be added to a group.</Note>
}

interface AddToGroupDialogProps {
  family: AffinityFamily
  project: string
  instance: string
  /** Groups without this instance. */
  groups: readonly Group[]
  onClose: () => void
}

/** Selects a group that the instance is not in. */
export function AddToGroupDialog({ family, project, instance, groups, onClose }: AddToGroupDialogProps) {
  const add = useOp(familyChanges[family].memberAdd)
  const kind = kindOf(family)
  return (
    <DialogForm
      title={`Add to ${kind}`}
      submitLabel="Add to group"
      pendingLabel="Adding to group"
      initial={{ group: '' }}
      save={async ({ group }) => {
        await add.run(memberAt(family, project, group, instance))
        return group
      }}
      saved={(group) => memberMessage(family, instance, 'added to', group)}
      onClose={onClose}
    >
      <ChoiceField
        name="group"
        label={capitalise(kind)}
        placeholder="Select a group"
        options={groups.map(({ name, description }) => ({
          value: name,
          label: name,
          ...(description && { detail: description }),
        }))}
      />
    </DialogForm>
  )
}
