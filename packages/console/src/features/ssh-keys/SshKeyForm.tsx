import * as op from '@gantry/api/client/operations.gen'
import type { ReactNode } from 'react'
import { useOp } from '../../data/use-op.ts'
import { DescriptionField, NameField, TextField } from '../common/forms/fields.tsx'
import { told } from '../common/told.tsx'
import { SideForm } from '../common/forms/SideForm.tsx'

interface Props {
  /** Said above the first field. */
  note?: ReactNode
  closeTo: string | (() => void)
}

/** Adds a key to the profile of the signed-in person. */
export function SshKeyForm({ note, closeTo }: Props) {
  const create = useOp(op.currentUserSshKeyCreate)
  return (
    <SideForm
      title="Add SSH key"
      pendingLabel="Adding SSH key"
      initial={{ name: '', description: '', publicKey: '' }}
      save={({ publicKey, ...body }) => create.run({ body: { ...body, publicKey: publicKey.trim() } })}
      saved={({ name }) => told('SSH key', name, 'created')}
      closeTo={closeTo}
    >
      {note}
      <NameField name="name" />
      <DescriptionField name="description" />
      <TextField name="publicKey" label="Public key" multiline mono />
    </SideForm>
  )
}
