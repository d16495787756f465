import { deviceAuthConfirm } from '@gantry/api/client/operations/console-auth.changes.gen'
import { deviceAuthDeny } from '@gantry/api/client/operations/extension-device-denials.changes.gen'
import { isUserCode, shownUserCode } from '@gantry/api/people/device.rules'
import { useState } from 'react'
import { loginPath } from '#/data/redirect-uri.ts'
import { Button } from '#/ui/Button.tsx'
import { useSecondsUntil } from '#/ui/use-second.ts'
import { attempt, type FailedAttempt } from '../attempt.ts'
import { AttemptForm } from '../AttemptForm.tsx'
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
  const [pending, setPending] = useState<'approval' | 'denial'>()
  const [isDenied, setDenied] = useState(false)
  const [failed, setFailed] = useState<FailedAttempt>()
  const mustWait = useSecondsUntil(failed?.retryAt) > 0
  const code = boxes.join('')

  async function submit(what: 'approval' | 'denial'): Promise<void> {
    const userCode = shownUserCode(code)
    setFailed(undefined)
    setPending(what)
    const problem = await attempt(what === 'denial' ? deviceAuthDeny : deviceAuthConfirm, {
      body: { userCode },
    })
    if (!problem) return what === 'denial' ? setDenied(true) : onDone()
    // After signing in, the user returns with the code and confirms it before it is sent.
    if (problem.failure.statusCode === 401) return onSignIn(loginPath(`/device/verify?user_code=${userCode}`))
    setPending(undefined)
    setFailed(problem)
  }

  if (isDenied)
    return (
      <p role="status" className="mt-5 text-muted">
        The device was denied: it gets no access. You can close this window.
      </p>
    )
  return (
    <AttemptForm
      className="mt-5"
      submitLabel="Log in on device"
      pendingLabel="Logging in on device"
      isPending={pending === 'approval'}
      disabled={!isUserCode(code) || pending === 'denial'}
      failed={failed}
      problemText={problemText}
      onSubmit={() => void submit('approval')}
      beside={
        <Button
          block
          size="lg"
          pending={pending === 'denial'}
          pendingLabel="Denying device"
          disabled={!isUserCode(code) || mustWait || pending === 'approval'}
          onClick={() => void submit('denial')}
        >
          Deny device
        </Button>
      }
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
