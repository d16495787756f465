import * as op from '@gantry/api/client/operations.gen'
import { isUserCode, shownUserCode } from '@gantry/api/device.rules'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { loginPath } from '../../data/redirect-uri.ts'
import { Button } from '../../ui/Button.tsx'
import { useSecondsUntil } from '../../ui/use-second.ts'
import { failureText } from '../common/failure-text.ts'
import { attempt, type FailedAttempt } from '../sign-in/attempt.ts'
import { AttemptNote } from '../sign-in/AttemptNote.tsx'
import { CodeBoxes } from './CodeBoxes.tsx'
import { boxesOf } from './user-code.ts'

/** Lets the device that shows a code act for whoever is signed in. */
export function DeviceForm({ given }: { given: string }) {
  const navigate = useNavigate()
  const [boxes, setBoxes] = useState(() => boxesOf(given))
  const [isPending, setPending] = useState(false)
  const [failed, setFailed] = useState<FailedAttempt>()
  const mustWait = useSecondsUntil(failed?.retryAt) > 0
  const code = boxes.join('')

  async function submit(): Promise<void> {
    const userCode = shownUserCode(code)
    setFailed(undefined)
    setPending(true)
    const problem = await attempt(op.deviceAuthConfirm, { body: { userCode } })
    if (!problem) return navigate({ to: '/device/success', replace: true })
    // The code comes back with the person, who looks at it again before it is sent.
    if (problem.failure.statusCode === 401)
      return location.assign(loginPath(`/device/verify?user_code=${userCode}`))
    setPending(false)
    setFailed(problem)
  }

  return (
    <form
      noValidate
      className="mt-5 space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <CodeBoxes
        boxes={boxes}
        onChange={(changed) => {
          setBoxes(changed)
          // What was said is about another code; having to wait is not.
          if (!mustWait) setFailed(undefined)
        }}
        invalid={failed?.failure.statusCode === 404}
      />
      <Button
        block
        size="lg"
        kind="primary"
        type="submit"
        pending={isPending}
        pendingLabel="Logging in on device"
        disabled={!isUserCode(code) || mustWait}
      >
        Log in on device
      </Button>
      <AttemptNote text={failed && problemText(failed)} retryAt={failed?.retryAt} />
    </form>
  )
}

function problemText({ failure }: FailedAttempt): string {
  if (failure.statusCode === 404) return 'Code is invalid'
  if (failure.statusCode === 429) return 'Too many attempts.'
  return failureText(failure)
}
