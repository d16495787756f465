import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '#/data/use-op.ts'
import { ChoiceField } from '#/features/common/forms/choice-fields.tsx'
import { DialogForm } from '#/features/common/forms/DialogForm.tsx'
import { type AntiAffinityGroup, memberAt } from './queries.ts'
import { memberMessage } from './member-message.tsx'

interface Props {
  project: string
  instance: string
  /** Groups without this instance. */
  groups: readonly AntiAffinityGroup[]
  onClose: () => void
}

/** Selects a group that the instance is not in. */
export function AddToGroupDialog({ project, instance, groups, onClose }: Props) {
  const add = useOp(op.antiAffinityGroupMemberInstanceAdd)
  return (
    <DialogForm
      title="Add to anti-affinity group"
      submitLabel="Add to group"
      pendingLabel="Adding to group"
      initial={{ group: '' }}
      save={async ({ group }) => {
        await add.run(memberAt(project, group, instance))
        return group
      }}
      saved={(group) => memberMessage(instance, 'added to', group)}
      onClose={onClose}
    >
      <ChoiceField
        name="group"
        label="Anti-affinity group"
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
