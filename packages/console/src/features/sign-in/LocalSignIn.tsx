import { useState } from 'react'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import type { FailedAttempt, NextStep } from './attempt.ts'
import { LocalForm } from './LocalForm.tsx'
import { PasskeyButton } from './PasskeyButton.tsx'

const NewPasswordStep = lazyPart(() => import('./second-step/NewPasswordStep.tsx'), 'NewPasswordStep')
const SecondStep = lazyPart(() => import('./second-step/SecondStep.tsx'), 'SecondStep')
const SetUpStep = lazyPart(() => import('./second-step/SetUpStep.tsx'), 'SetUpStep')

interface Props {
  silo: string
  hasPasskeys: boolean
  onSignedIn: () => void
}

/** Local sign-in: the password and any further step, or a passkey in place of both. */
export function LocalSignIn({ silo, hasPasskeys, onSignedIn }: Props) {
  const [next, setNext] = useState<NextStep>()
  const [isOver, setOver] = useState(false)

  /** One step can lead to another, such as from a second factor to a new password. */
  function onProblem({ failure, next: following }: FailedAttempt): void {
    if (failure.statusCode !== 401) return
    setOver(following === undefined)
    setNext(following)
  }

  if (!next)
    return (
      <div>
        {isOver && (
          <Note kind="busy" className="mb-4">
            Your sign-in timed out. Sign in again.
          </Note>
        )}
        <LocalForm
          silo={silo}
          onSignedIn={onSignedIn}
          onNext={(step) => {
            setOver(false)
            setNext(step)
          }}
        />
        {hasPasskeys && (
          <div className="mt-2">
            <PasskeyButton
              silo={silo}
              use="sign_in"
              onSignedIn={onSignedIn}
              onProblem={({ next: following }) => setNext(following)}
            />
          </div>
        )}
      </div>
    )

  const step = { silo, onSignedIn, onProblem, onBack: () => setNext(undefined) }
  if (next.does === 'replace') return <NewPasswordStep {...step} />
  return next.does === 'show' ? (
    <SecondStep {...step} kinds={next.kinds} />
  ) : (
    <SetUpStep {...step} kinds={next.kinds} />
  )
}
