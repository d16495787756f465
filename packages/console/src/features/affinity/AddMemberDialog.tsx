import * as op from '@gantry/api/client/operations.gen'
import { instanceAllows } from '@gantry/api/instance.rules'
import { allows } from '@gantry/api/state.rules'
import { useWatch } from 'react-hook-form'
import { useOp } from '#/data/use-op.ts'
import { sentenceCase } from '#/ui/format.ts'
import { Note } from '#/ui/Note.tsx'
import { ChoiceField } from '#/features/common/forms/choice-fields.tsx'
import { DialogForm } from '#/features/common/forms/DialogForm.tsx'
import type { Instance } from '#/features/instances/queries.ts'
import { memberAt } from './queries.ts'
import { memberMessage } from './member-message.tsx'

interface Props {
  project: string
  group: string
  /** Instances outside the group. */
  instances: readonly Instance[]
  onClose: () => void
}

const canJoin = (instance: Instance | undefined): boolean =>
  instance !== undefined && allows(instanceAllows, 'addToAffinityGroup', instance.runState)

/** Selects an instance outside the group, in any state. */
export function AddMemberDialog({ project, group, instances, onClose }: Props) {
  const add = useOp(op.antiAffinityGroupMemberInstanceAdd)
  const named = (name: string) => instances.find((instance) => instance.name === name)
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
      save={({ instance }) => add.run(memberAt(project, group, instance))}
      saved={({ value }) => memberMessage(value.name, 'added to', group)}
      onClose={onClose}
    >
      <p>Only stopped instances can be added to the group.</p>
      <ChoiceField
        name="instance"
        label="Instance"
        placeholder="Select an instance"
        options={instances.map(({ name, runState }) => ({
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
