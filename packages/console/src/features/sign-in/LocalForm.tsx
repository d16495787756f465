import { loginLocal } from '@gantry/api/client/operations/login.changes.gen'
import { useRef, useState } from 'react'
import { rememberSilo } from '#/data/session.ts'
import { Field } from '#/ui/inputs/Field.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { attempt, type FailedAttempt, type NextStep } from './attempt.ts'
import { AttemptForm } from './AttemptForm.tsx'
import { PasswordInput } from '#/ui/inputs/PasswordInput.tsx'

interface Props {
  silo: string
  onSignedIn: () => void
  /** The password was correct but not sufficient. */
  onNext: (step: NextStep) => void
}

/** User name and password of a silo, for the sign-in pages and for the dialog after a session expires. */
export function LocalForm({ silo, onSignedIn, onNext }: Props) {
  const [values, setValues] = useState({ username: '', password: '' })
  const [wasSent, setSent] = useState(false)
  const [isPending, setPending] = useState(false)
  const [failed, setFailed] = useState<FailedAttempt>()
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)

  async function submit(): Promise<void> {
    setSent(true)
    setFailed(undefined)
    // No user's name has blanks around it, and pasted ones bring them along.
    const name = values.username.trim()
    if (!name) return username.current?.focus()
    if (!values.password) return password.current?.focus()
    setPending(true)
    const problem = await attempt(loginLocal, {
      path: { siloName: silo },
      body: { ...values, username: name },
    })
    if (problem?.next) return onNext(problem.next)
    if (problem) {
      setPending(false)
      setFailed(problem)
      return password.current?.select()
    }
    rememberSilo(silo)
    // Stays pending until the next page replaces this one.
    onSignedIn()
  }

  return (
    <AttemptForm
      submitLabel="Sign in"
      pendingLabel="Signing in"
      isPending={isPending}
      failed={failed}
      problemText={problemText}
      onSubmit={() => void submit()}
    >
      <Field label="Username" error={wasSent && !values.username.trim() && 'Username is required'}>
        <TextInput
          ref={username}
          // The page's only input.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          data-initial-focus
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          data-1p-ignore={undefined}
          data-lpignore={undefined}
          value={values.username}
          onChange={(event) => {
            setValues({ ...values, username: event.target.value })
            // The rate limit may not apply to another user.
            setFailed(undefined)
          }}
        />
      </Field>
      <Field label="Password" error={wasSent && !values.password && 'Password is required'}>
        <PasswordInput
          ref={password}
          value={values.password}
          onChange={(value) => setValues({ ...values, password: value })}
        />
      </Field>
    </AttemptForm>
  )
}

/** Gives no hint whether the silo, the user or the password was wrong. */
function problemText({ failure: { statusCode, message } }: FailedAttempt): string {
  if (statusCode === 429) return 'Too many attempts.'
  if (statusCode === 401) return 'Incorrect username or password'
  return statusCode === 0 ? message : 'Could not sign in. Try again.'
}
