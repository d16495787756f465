import { signOut } from '#/data/sign-out.ts'
import { failureText } from '#/features/common/failure-text.ts'
import { Button } from '#/ui/Button.tsx'
import { toast } from '#/ui/toast.ts'

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
