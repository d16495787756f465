import { deviceAuthConfirm } from '@gantry/api/client/operations/console-auth.changes.gen'
import { isUserCode, shownUserCode } from '@gantry/api/device.rules'
import { useState } from 'react'
import { loginPath } from '#/data/redirect-uri.ts'
import { useSecondsUntil } from '#/ui/use-second.ts'
import { attempt, type FailedAttempt } from '#/features/sign-in/attempt.ts'
import { AttemptForm } from '#/features/sign-in/AttemptForm.tsx'
import { CodeBoxes } from './CodeBoxes.tsx'
import { boxesOf, isInvalidCode, problemText } from './user-code.ts'

interface Props {
  /** The initial code. */
  given: string
  onDone: () => void
  /** Opens the sign-in page at this path, which returns here with the code. */
  onSignIn: (path: string) => void
}

/** Authorises the device with the code to act as the signed-in user. */
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
    // After signing in, the user returns with the code and confirms it before it is sent.
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
          // An input clears the failure, which concerned the previous code, but not the wait of a rate limit.
          if (!mustWait) setFailed(undefined)
        }}
        invalid={failed !== undefined && isInvalidCode(failed.failure)}
      />
    </AttemptForm>
  )
}
