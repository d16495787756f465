import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import KeyRound from 'lucide-react/icons/key-round'
import { useState } from 'react'
import { asFailure, type Failure } from '#/data/failure.ts'
import { useOp } from '#/data/use-op.ts'
import { Button } from '#/ui/Button.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { ErrorNote } from '#/ui/feedback/Note.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { useFormField } from '#/kit/forms/fields.tsx'
import { PasswordInput } from '#/ui/inputs/PasswordInput.tsx'
import { signByPasskey } from './browser-passkeys.ts'
import { whyNoPasskeys } from './passkey-support.ts'
import { mySecondFactors } from './queries.ts'

interface Props {
  onConfirmed: () => void
  onClose: () => void
}

/** Confirms that the user at the browser is the one who signed in. */
export function ConfirmIdentityDialog({ onConfirmed, onClose }: Props) {
  const confirm = useOp(op.confirmationCreate)
  return (
    <DialogForm
      title="Confirm your identity"
      width="narrow"
      submitLabel="Confirm"
      pendingLabel="Confirming"
      initial={{ password: '' }}
      save={({ password }) => confirm.run({ body: { kind: 'password', password } })}
      onSaved={onConfirmed}
      onClose={onClose}
    >
      <p className="text-muted">
        You signed in a while ago. Enter your password again to change how you sign in.
      </p>
      <PasswordField />
      <PasskeyInstead
        onDone={() => {
          onConfirmed()
          onClose()
        }}
      />
    </DialogForm>
  )
}

function PasswordField() {
  const { ref, error, value, onChange } = useFormField<string>('password', (password) =>
    password === '' ? 'Password is required' : undefined,
  )
  return (
    <Field label="Password" error={error}>
      <PasswordInput ref={ref} value={value} onChange={onChange} />
    </Field>
  )
}

function PasskeyInstead({ onDone }: { onDone: () => void }) {
  const { data } = useQuery(mySecondFactors)
  const request = useOp(op.confirmationChallenge)
  const confirm = useOp(op.confirmationCreate)
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const isUsable = data?.passkeys.some(({ rpId }) => rpId === location.hostname) && !whyNoPasskeys()
  if (!isUsable) return null

  async function run(): Promise<void> {
    setPending(true)
    setFailure(undefined)
    try {
      const signed = await signByPasskey(await request.run({}))
      await confirm.run({ body: { kind: 'passkey', ...signed } })
      onDone()
    } catch (error) {
      setFailure(asFailure(error))
      setPending(false)
    }
  }

  return (
    <>
      <Button
        block
        size="lg"
        pending={isPending}
        pendingLabel="Waiting for your passkey"
        onClick={() => void run()}
      >
        <KeyRound aria-hidden strokeWidth={1.75} className="size-4" />
        Use a passkey instead
      </Button>
      {failure && <ErrorNote errors={[failureText(failure)]} />}
    </>
  )
}
