import type { RoleName } from '@gantry/api/base/roles.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { roleIn } from '#/features/access/assignments.ts'
import { useDecidePolicy } from '#/features/access/change-policy.ts'
import { anySiloOwner } from '#/features/access/policy-owner.ts'
import { roleOptions } from '#/features/access/role-words.tsx'
import { RadioField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { siloPolicyOf } from './queries.ts'
import type { User } from './use-person-actions.tsx'

type Choice = RoleName | 'none'

interface Props {
  silo: string
  user: User
  onClose: () => void
}

const options: readonly { value: Choice; label: string }[] = [
  { value: 'none', label: 'No role of their own' },
  ...roleOptions('silo')
    .toReversed()
    .map(({ value, label, detail }) => ({ value, label: `${label}: ${detail}` })),
]

/** Assigns a silo role to a user of any silo. Without one, the first user of a silo could administer nothing. */
export function SiloRoleDialog({ silo, user, onClose }: Props) {
  // Forgotten when the dialog closes: nothing else keeps it up to date.
  const { data: policy } = useSuspenseQuery({ ...siloPolicyOf(silo), gcTime: 0 })
  const change = useDecidePolicy(anySiloOwner(silo))
  // Read when the dialog opens, so that another operator's later change is refused instead of overwritten.
  const [seen] = useState(() => roleIn(policy.roleAssignments, { identityId: user.id }))
  return (
    <DialogForm<{ role: Choice }, void>
      title="Change silo role"
      submitLabel="Change role"
      pendingLabel="Changing role"
      initial={{ role: seen ?? 'none' }}
      save={({ role }, send) =>
        change(
          {
            identityId: user.id,
            identityType: 'silo_user',
            role: role === 'none' ? undefined : role,
            seen,
          },
          send,
        )
      }
      saved={() => successMessage('Role of', user.name, 'changed')}
      onClose={onClose}
    >
      <p>
        Role of <strong>{user.name}</strong> on silo <strong>{silo}</strong>. Roles of their groups apply too.
      </p>
      <RadioField<Choice> name="role" label="Role" options={options} column />
    </DialogForm>
  )
}
