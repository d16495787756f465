import { deviceAuthConfirm } from '@gantry/api/client/operations/console-auth.changes.gen'
import { isUserCode, shownUserCode } from '@gantry/api/device.rules'
import { useState } from 'react'
import { loginPath } from '#/data/redirect-uri.ts'
import { useSecondsUntil } from '#/ui/use-second.ts'
import { attempt, type FailedAttempt } from '#/features/sign-in/attempt.ts'
import { AttemptForm } from '#/features/sign-in/AttemptForm.tsx'
import { CodeBoxes } from './CodeBoxes.tsx'
import { isInvalidCode, problemText } from './problem-text.ts'
import { boxesOf } from './user-code.ts'

interface Props {
  /** The code to begin with. */
  given: string
  onDone: () => void
  /** Somebody has to sign in first, at this path, which leads back here with the code. */
  onSignIn: (path: string) => void
}

/** Lets the device that shows a code act for whoever is signed in. */
export function DeviceForm({ given, onDone, onSignIn }: Props) {
  const [boxes, setBoxes] = useState(() => boxesOf(given))
  const [isPending, setPending] = useState(false)
  const [failed, setFailed] = useState<FailedAttempt>()
  const mustWait = useSecondsUntil(failed?.retryAt) > 0
  const code = boxes.join('')

  async function submit(): Promise<void> {
    const userCode = shownUserCode(code)
    setFailed(undefined)
    setPending(true)
    const problem = await attempt(deviceAuthConfirm, { body: { userCode } })
    if (!problem) return onDone()
    // The code comes back with the person, who looks at it again before it is sent.
    if (problem.failure.statusCode === 401) return onSignIn(loginPath(`/device/verify?user_code=${userCode}`))
    setPending(false)
    setFailed(problem)
  }

  return (
    <AttemptForm
      className="mt-5"
      submitLabel="Log in on device"
      pendingLabel="Logging in on device"
      isPending={isPending}
      disabled={!isUserCode(code)}
      failed={failed}
      problemText={problemText}
      onSubmit={() => void submit()}
    >
      <CodeBoxes
        boxes={boxes}
        onChange={(changed) => {
          setBoxes(changed)
          // The failure was about the previous code; having to wait is not.
          if (!mustWait) setFailed(undefined)
        }}
        invalid={failed !== undefined && isInvalidCode(failed.failure)}
      />
    </AttemptForm>
  )
}
