import * as op from '@gantry/api/client/operations.gen'
import { useQueryClient } from '@tanstack/react-query'
import { currentUser } from '../data/current-user.ts'
import { client } from '../data/client.ts'
import { loginPath } from '../data/redirect-uri.ts'
import { lastSilo, session } from '../data/session.ts'
import { LocalForm } from '../features/sign-in/LocalForm.tsx'
import { Dialog } from '../ui/Dialog.tsx'

/** Over the page whose session has ended, so that nothing typed on it is lost. */
export function SignInDialog() {
  const queryClient = useQueryClient()
  const silo = session.user()?.siloName ?? lastSilo() ?? ''

  async function resume(): Promise<void> {
    const result = await client(op.currentUserView, {})
    const before = session.user()
    // What is on screen belongs to someone else then, and so does what is in memory.
    if (result.type === 'success' && before && result.data.id !== before.id) return location.reload()
    if (result.type === 'success') queryClient.setQueryData(currentUser.queryKey, result.data)
    session.renew()
    await queryClient.invalidateQueries()
  }

  const elsewhere = loginPath(location.pathname + location.search)
  return (
    <Dialog title="Your session has ended" width="narrow" onRequestClose={() => undefined}>
      <p className="mb-3 text-muted">
        Sign in to silo <strong>{silo}</strong> to go on. What you have entered is still there.
      </p>
      <LocalForm silo={silo} onSignedIn={() => void resume()} />
      <p className="pt-2 text-sm">
        <a href={elsewhere} className="link">
          Sign in elsewhere
        </a>
      </p>
    </Dialog>
  )
}
