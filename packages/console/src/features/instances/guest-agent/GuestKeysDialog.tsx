import * as op from '@gantry/api/client/operations.gen'
import { guestUserProblem } from '@gantry/api/compute/guest-agent.rules'
import { useQuery } from '@tanstack/react-query'
import { useOp } from '#/data/use-op.ts'
import { allSshKeys } from '#/features/ssh-keys/queries.ts'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { TextField, useFormField } from '#/kit/forms/fields.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { instanceAt } from '../queries.ts'

interface Props {
  project: string
  instance: string
  onClose: () => void
}

/** Lets keys of the user's profile sign in to the guest. */
export function GuestKeysDialog({ project, instance, onClose }: Props) {
  const add = useOp(op.instanceGuestSshKeysAdd)
  const { data: keys } = useQuery(allSshKeys)
  const none: string[] = []
  return (
    <DialogForm
      title="Add SSH keys to the guest"
      submitLabel="Add SSH keys"
      pendingLabel="Adding SSH keys"
      disabled={
        keys?.length === 0 ? 'Your profile has no SSH keys. Add one in the settings first.' : undefined
      }
      initial={{ user: 'root', sshPublicKeys: none }}
      save={(body, send) => add.run({ ...instanceAt(project, instance), body }, send)}
      saved={() => successMessage('SSH keys added in', instance, 'by its guest agent')}
      onClose={onClose}
    >
      <p>The guest agent adds them to those that may sign in as the user.</p>
      <TextField
        name="user"
        label="User in the guest"
        problem={(user) => {
          const problem = guestUserProblem(user)
          return problem && `The name ${problem}.`
        }}
      />
      <Keys keys={keys ?? []} />
    </DialogForm>
  )
}

function Keys({ keys }: { keys: readonly { id: string; name: string }[] }) {
  const { value, onChange, error } = useFormField<string[]>('sshPublicKeys', (chosen) =>
    chosen.length === 0 ? 'Select a key' : undefined,
  )
  return (
    <Field group label="Your SSH keys" error={error}>
      <div role="group" aria-label="Your SSH keys">
        {keys.map(({ id, name }) => (
          <Checkbox
            key={id}
            checked={value.includes(id)}
            onChange={({ target }) =>
              onChange(target.checked ? [...value, id] : value.filter((one) => one !== id))
            }
          >
            {name}
          </Checkbox>
        ))}
      </div>
    </Field>
  )
}
