import * as op from '@gantry/api/client/operations.gen'
import type { ReactNode } from 'react'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField, TextField } from '#/features/common/forms/fields.tsx'
import { SideForm } from '#/features/common/forms/SideForm.tsx'
import type { LinkTarget } from '#/features/common/link-target.ts'
import { linkedSuccessMessage } from '#/features/common/success-message.tsx'
import { sshKeyLink } from './links.ts'

interface Props {
  /** Above the first field. */
  note?: ReactNode
  closeTo: LinkTarget | (() => void)
}

/** Adds a key to the signed-in user's profile. */
export function SshKeyForm({ note, closeTo }: Props) {
  const create = useOp(op.currentUserSshKeyCreate)
  return (
    <SideForm
      title="Add SSH key"
      pendingLabel="Adding SSH key"
      initial={{ name: '', description: '', publicKey: '' }}
      save={({ publicKey, ...body }) => create.run({ body: { ...body, publicKey: publicKey.trim() } })}
      saved={({ name }) => linkedSuccessMessage('SSH key', name, 'created', sshKeyLink(name))}
      closeTo={closeTo}
    >
      {note}
      <NameField name="name" />
      <DescriptionField name="description" />
      <TextField name="publicKey" label="Public key" multiline mono />
    </SideForm>
  )
}
