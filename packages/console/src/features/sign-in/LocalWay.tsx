import { useState } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Note } from '../../ui/Note.tsx'
import type { FailedAttempt } from './attempt.ts'
import { LocalForm } from './LocalForm.tsx'
import type { NextStep } from './next-step.ts'
import { PasskeyButton } from './PasskeyButton.tsx'

const SecondStep = lazyPart(() => import('./second-step/SecondStep.tsx'), 'SecondStep')
const SetUpStep = lazyPart(() => import('./second-step/SetUpStep.tsx'), 'SetUpStep')

interface Props {
  silo: string
  hasPasskeys: boolean
  onSignedIn: () => void
}

/** A silo's own users: the password and what it takes besides, or a passkey in place of both. */
export function LocalWay({ silo, hasPasskeys, onSignedIn }: Props) {
  const [next, setNext] = useState<NextStep>()
  const [isOver, setOver] = useState(false)
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
        {hasPasskeys && <PasskeyButton silo={silo} use="sign_in" onSignedIn={onSignedIn} />}
      </div>
    )

  function onProblem({ failure }: FailedAttempt): void {
    if (failure.statusCode !== 401) return
    setOver(true)
    setNext(undefined)
  }

  const step = { silo, onSignedIn, onProblem, onBack: () => setNext(undefined) }
  return next.does === 'show' ? (
    <SecondStep {...step} kinds={next.kinds} />
  ) : (
    <SetUpStep {...step} kinds={next.kinds} />
  )
}
