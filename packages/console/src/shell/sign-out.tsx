import * as op from '@gantry/api/client/operations.gen'
import { client } from '#/data/client.ts'
import { type Failure, failureOf } from '#/data/failure.ts'
import { recordingKey, runKey } from '#/data/recording/recording.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { Button } from '#/ui/Button.tsx'
import { toast } from '#/ui/overlays/toast.ts'

/** Signs out. On failure, shows a toast with a retry button that stays until dismissed. */
export async function signOutOrSay(): Promise<void> {
  const failure = await signOut()
  if (!failure) return
  const id = toast.error(
    {
      title: 'You are still signed in',
      text: failureText(failure),
      action: (
        <Button className="mt-2" onClick={() => void again()}>
          Sign out again
        </Button>
      ),
    },
    null,
  )
  function again(): Promise<void> {
    toast.dismiss(id)
    return signOutOrSay()
  }
}

/**
 * Signs out, then reloads to the sign-in page, so that no data of this user stays in memory. If the session may still
 * be valid, the page stays, so that the user does not leave the machine believing they are signed out. Returns the failure.
 */
async function signOut(): Promise<Failure | undefined> {
  const result = await client(op.logout, {})
  if (result.type !== 'success' && result.statusCode !== 401) return failureOf(op.logout, result)
  sessionStorage.removeItem(recordingKey)
  sessionStorage.removeItem(runKey)
  location.assign('/login')
  return undefined
}
