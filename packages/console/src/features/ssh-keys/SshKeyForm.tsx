import * as op from '@gantry/api/client/operations.gen'
import { capitalise } from '@gantry/api/base/errors.rules'
import { sshKeyDoubt, sshKeyMaxLength, sshKeyRefusal } from '@gantry/api/people/ssh-key.rules'
import type { ReactNode } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField, TextField, useFormField } from '#/kit/forms/fields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { linkedSuccessMessage } from '#/kit/feedback/success-message.tsx'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { sshKeyLink } from './links.ts'

interface Props {
  /** Above the first field. */
  note?: ReactNode
  closeTo: LinkTarget | (() => void)
}

const empty = { name: '', description: '', publicKey: '', isMeant: false }
type Values = typeof empty

/** Adds a key to the signed-in user's profile. */
export function SshKeyForm({ note, closeTo }: Props) {
  const create = useOp(op.currentUserSshKeyCreate)
  return (
    <SideForm
      title="Add SSH key"
      pendingLabel="Adding SSH key"
      initial={empty}
      save={({ name, description, publicKey }, send) =>
        create.run({ body: { name, description, publicKey: publicKey.trim() } }, send)
      }
      saved={({ name }) => linkedSuccessMessage('SSH key', name, 'created', sshKeyLink(name))}
      closeTo={closeTo}
    >
      {note}
      <NameField name="name" />
      <DescriptionField name="description" />
      <PublicKeyField />
    </SideForm>
  )
}

/** Refuses private keys, and asks about text in a form that OpenSSH does not have. */
function PublicKeyField() {
  const { formState, getValues, trigger } = useFormContext<Values>()
  const publicKey = useWatch<Values, 'publicKey'>({ name: 'publicKey' })
  const isMeant = useFormField<boolean>('isMeant')
  const doubt = sshKeyDoubt(publicKey)
  const isAsked = doubt !== undefined && (isMeant.value || formState.errors.publicKey?.message === doubt)
  return (
    <>
      <TextField
        name="publicKey"
        label="Public key"
        multiline
        mono
        problem={(text) => publicKeyProblem(text, getValues('isMeant'))}
      />
      {isAsked && (
        <Checkbox
          checked={isMeant.value}
          onChange={(event) => {
            isMeant.onChange(event.target.checked)
            void trigger('publicKey')
          }}
        >
          Add it anyway
        </Checkbox>
      )}
    </>
  )
}

function publicKeyProblem(text: string, isMeant: boolean): string | undefined {
  const refusal = sshKeyRefusal(text)
  if (refusal) return `${capitalise(refusal.message)}. ${refusal.help}`
  if (text.trim().length > sshKeyMaxLength) return `Must be at most ${sshKeyMaxLength} characters`
  return isMeant ? undefined : sshKeyDoubt(text)
}
