import * as op from '@gantry/api/client/operations.gen'
import { useRef, useState } from 'react'
import { call } from '../../data/client.ts'
import { asFailure } from '../../data/failure.ts'
import { rememberSilo } from '../../data/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { PasswordInput } from './PasswordInput.tsx'

interface Props {
  silo: string
  onSignedIn: () => void
}

/** User name and password of a silo. The page and the dialog of a session that ended use the same. */
export function LocalForm({ silo, onSignedIn }: Props) {
  const [values, setValues] = useState({ username: '', password: '' })
  const [wasSent, setSent] = useState(false)
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)

  async function submit(): Promise<void> {
    setSent(true)
    setProblem(undefined)
    if (!values.username) return username.current?.focus()
    if (!values.password) return password.current?.focus()
    setPending(true)
    try {
      await call(op.loginLocal, { path: { siloName: silo }, body: values })
      rememberSilo(silo)
      onSignedIn()
    } catch (error) {
      setProblem(signInProblem(asFailure(error)))
      password.current?.select()
    } finally {
      setPending(false)
    }
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void submit()
      }}
      className="space-y-4"
    >
      <Field label="Username" error={wasSent && !values.username && 'Username is required'}>
        <TextInput
          ref={username}
          data-initial-focus
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          data-1p-ignore={undefined}
          data-lpignore={undefined}
          value={values.username}
          onChange={(event) => setValues({ ...values, username: event.target.value })}
        />
      </Field>
      <Field label="Password" error={wasSent && !values.password && 'Password is required'}>
        <PasswordInput
          ref={password}
          value={values.password}
          onChange={(value) => setValues({ ...values, password: value })}
        />
      </Field>
      <Button block size="lg" kind="primary" type="submit" pending={isPending} pendingLabel="Signing in">
        Sign in
      </Button>
      <p role="alert" className="text-sm text-fail-text empty:hidden">
        {problem}
      </p>
    </form>
  )
}

/** No hint whether the silo, the user or the password was wrong. */
function signInProblem({ statusCode, message }: { statusCode: number; message: string }): string {
  if (statusCode === 429) return 'Too many attempts. Wait a moment, then try again.'
  if (statusCode === 0) return message
  return 'Could not sign in. Try again.'
}
