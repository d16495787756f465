import { nameFieldProblem } from '@gantry/api/name.rules'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { safeRedirect } from '../../data/redirect-uri.ts'
import { lastSilo } from '../../data/session.ts'
import { loginSearch } from '../../features/sign-in/login-search.ts'
import { ReturnNote } from '../../features/sign-in/ReturnNote.tsx'
import { LoginFrame } from '../../shell/LoginFrame.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { TextInput } from '../../ui/TextInput.tsx'

export const Route = createFileRoute('/login/')({ validateSearch: loginSearch, component: Login })

/** Finds the silo: no call lists them, so the last one used is offered, and any other is asked for. */
function Login() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const [silo, setSilo] = useState(() => lastSilo() ?? '')
  const [problem, setProblem] = useState<string>()

  function goOn(): void {
    const wrong = nameFieldProblem(silo, 'Silo')
    setProblem(wrong)
    if (!wrong) void navigate({ to: '/login/$silo/local', params: { silo }, search })
  }

  return (
    <LoginFrame title="Sign in to Gantry" note={<ReturnNote to={safeRedirect(search.redirect_uri)} />}>
      <p className="mt-0.5 mb-5 text-muted">Which silo do you belong to?</p>
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          goOn()
        }}
      >
        <Field label="Silo" hint="Your administrator gave you its name." error={problem}>
          <TextInput
            // The one thing there is to do here.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            name="silo"
            autoComplete="organization"
            autoCapitalize="none"
            value={silo}
            onChange={(event) => setSilo(event.target.value)}
          />
        </Field>
        <Button block size="lg" kind="primary" type="submit">
          Continue
        </Button>
      </form>
    </LoginFrame>
  )
}
