import type { InputOf, OpRef, OutputOf } from '@gantry/api/client/client'
import { type ReactNode, useRef, useState } from 'react'
import { Field } from '#/ui/inputs/Field.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { type FailedAttempt, outcomeOf, problemText } from '../attempt.ts'
import { AttemptForm } from '../AttemptForm.tsx'

type CodeOp = 'loginTotp' | 'loginRecoveryCode' | 'loginTotpCreate'

interface Props<Name extends CodeOp> {
  op: OpRef<Name>
  silo: string
  label: string
  hint?: ReactNode
  /** Six digits, which a phone offers from a message, or letters. */
  isDigits: boolean
  submitLabel?: string
  onDone: (data: OutputOf<Name>) => void
  onProblem: (problem: FailedAttempt) => void
}

/** A code in one field, with a form of its own. */
export function CodeForm<Name extends CodeOp>(props: Props<Name>) {
  const { op, silo, label, hint, isDigits, submitLabel = 'Sign in', onDone, onProblem } = props
  const [code, setCode] = useState('')
  const [wasSent, setSent] = useState(false)
  const [isPending, setPending] = useState(false)
  const [failed, setFailed] = useState<FailedAttempt>()
  const input = useRef<HTMLInputElement>(null)

  async function submit(): Promise<void> {
    setSent(true)
    setFailed(undefined)
    if (code.trim() === '') return input.current?.focus()
    setPending(true)
    const result = await outcomeOf(op, { path: { siloName: silo }, body: { code } } as InputOf<Name>)
    if (!result.problem) return onDone(result.data)
    setPending(false)
    setFailed(result.problem)
    input.current?.select()
    onProblem(result.problem)
  }

  return (
    <AttemptForm
      submitLabel={submitLabel}
      pendingLabel="Checking"
      isPending={isPending}
      failed={failed}
      problemText={problemText}
      onSubmit={() => void submit()}
    >
      <Field label={label} hint={hint} error={wasSent && code.trim() === '' && `${label} is required`}>
        <TextInput
          ref={input}
          // The page's only input.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          mono
          name="code"
          autoComplete={isDigits ? 'one-time-code' : 'off'}
          inputMode={isDigits ? 'numeric' : 'text'}
          autoCapitalize="characters"
          maxLength={64}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
    </AttemptForm>
  )
}
