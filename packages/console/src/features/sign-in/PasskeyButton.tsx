import KeyRound from 'lucide-react/icons/key-round'
import { useState } from 'react'
import { rememberSilo } from '#/data/session.ts'
import { Button } from '#/ui/Button.tsx'
import { useSecondsUntil } from '#/ui/use-second.ts'
import { whyNoPasskeys } from './factors/passkey-support.ts'
import { type FailedAttempt, problemText } from './attempt.ts'
import { AttemptNote } from './AttemptForm.tsx'

interface Props {
  silo: string
  /** Instead of user name and password, or after them. */
  use: 'sign_in' | 'second_factor'
  kind?: 'primary' | 'default'
  onSignedIn: () => void
  onProblem?: (problem: FailedAttempt) => void
}

/** Asks the browser for a passkey. Loads the code for that on demand. */
export function PasskeyButton({ silo, use, kind, onSignedIn, onProblem }: Props) {
  const [isPending, setPending] = useState(false)
  const [failed, setFailed] = useState<FailedAttempt>()
  const mustWait = useSecondsUntil(failed?.retryAt) > 0

  async function signIn(): Promise<void> {
    setPending(true)
    setFailed(undefined)
    const { signInByPasskey } = await import('./second-step/passkey-sign-in.ts')
    const problem = await signInByPasskey(silo, use)
    if (problem) {
      setPending(false)
      setFailed(problem)
      return onProblem?.(problem)
    }
    rememberSilo(silo)
    onSignedIn()
  }

  return (
    <div className="space-y-4">
      <Button
        block
        size="lg"
        // The line reserved for a failure is space enough.
        className="mb-0"
        kind={kind ?? 'default'}
        pending={isPending}
        pendingLabel="Waiting for your passkey"
        disabled={mustWait}
        disabledReason={whyNoPasskeys()}
        onClick={() => void signIn()}
      >
        <KeyRound aria-hidden strokeWidth={1.75} className="size-4" />
        Use a passkey
      </Button>
      <AttemptNote text={failed && problemText(failed)} retryAt={failed?.retryAt} />
    </div>
  )
}
