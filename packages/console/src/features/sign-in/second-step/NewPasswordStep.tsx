import { loginNewPassword } from '@gantry/api/client/operations/extension-login.changes.gen'
import { capitalise } from '@gantry/api/base/errors.rules'
import { passwordMinLength, passwordProblem } from '@gantry/api/people/password.rules'
import { useEffect, useRef, useState } from 'react'
import { rememberSilo } from '#/data/session.ts'
import { Field } from '#/ui/inputs/Field.tsx'
import { PasswordInput } from '#/ui/inputs/PasswordInput.tsx'
import { attempt, type FailedAttempt, problemText } from '../attempt.ts'
import { AttemptForm, BackToPassword } from '../AttemptForm.tsx'

interface Props {
  silo: string
  onSignedIn: () => void
  onProblem: (problem: FailedAttempt) => void
  onBack: () => void
}

interface Passwords {
  password: string
  again: string
}

/** After a one-time password: the user replaces it with a password of their own, which completes the sign-in. */
export function NewPasswordStep({ silo, onSignedIn, onProblem, onBack }: Props) {
  const [values, setValues] = useState<Passwords>({ password: '', again: '' })
  const [wasSent, setSent] = useState(false)
  const [isPending, setPending] = useState(false)
  const [failed, setFailed] = useState<FailedAttempt>()
  const password = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  useEffect(() => password.current?.focus(), [])
  const problems = wasSent ? problemsOf(values, silo) : {}

  async function submit(): Promise<void> {
    setSent(true)
    setFailed(undefined)
    const found = problemsOf(values, silo)
    if (found.password) return password.current?.focus()
    if (found.again) return again.current?.focus()
    setPending(true)
    const body = { password: values.password }
    const problem = await attempt(loginNewPassword, { path: { siloName: silo }, body })
    if (problem) {
      setPending(false)
      setFailed(problem)
      password.current?.focus()
      return onProblem(problem)
    }
    rememberSilo(silo)
    onSignedIn()
  }

  return (
    <div className="space-y-4">
      <p className="text-muted">You signed in with a one-time password. Choose your own to continue.</p>
      <AttemptForm
        submitLabel="Set password and sign in"
        pendingLabel="Setting password"
        isPending={isPending}
        failed={failed}
        problemText={problemText}
        onSubmit={() => void submit()}
      >
        <Field
          label="New password"
          hint={`At least ${passwordMinLength} characters. Several unrelated words work well.`}
          error={problems.password}
        >
          <PasswordInput
            ref={password}
            name="password"
            autoComplete="new-password"
            value={values.password}
            onChange={(value) => setValues({ ...values, password: value })}
          />
        </Field>
        <Field label="Confirm new password" error={problems.again}>
          <PasswordInput
            ref={again}
            name="again"
            autoComplete="new-password"
            value={values.again}
            onChange={(value) => setValues({ ...values, again: value })}
          />
        </Field>
      </AttemptForm>
      <BackToPassword onBack={onBack} />
    </div>
  )
}

/** The server also knows the user's name, and refuses passwords derived from it. */
function problemsOf({ password, again }: Passwords, silo: string): Partial<Passwords> {
  if (password === '') return { password: 'New password is required' }
  const problem = passwordProblem(password, [silo])
  if (problem) return { password: `${capitalise(problem)}.` }
  return again === password ? {} : { again: 'The passwords do not match.' }
}
