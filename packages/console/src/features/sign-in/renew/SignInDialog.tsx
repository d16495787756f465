import * as op from '@gantry/api/client/operations.gen'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { ask, client } from '#/data/client.ts'
import { currentUser } from '#/data/current-user.ts'
import { failureOf } from '#/data/failure.ts'
import { opQuery } from '#/data/queries.ts'
import { loginPath } from '#/data/redirect-uri.ts'
import { type CurrentUser, lastSilo, session } from '#/data/session.ts'
import { announceSignIn, onSignInElsewhere } from '../sign-in-elsewhere.ts'
import { localOnly, type LoginMethods } from '../login-methods.ts'
import { SignInMethods } from '../SignInMethods.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'

/** Over the page whose session has expired, so that no input is lost. */
export function SignInDialog() {
  const queryClient = useQueryClient()
  const silo = session.user()?.siloName ?? lastSilo() ?? ''
  const { data: methods = localOnly, isPending } = useQuery(loginMethods(silo))

  async function finish(user: CurrentUser | undefined): Promise<void> {
    const before = session.user()
    // The screen and the memory hold the previous user's data.
    if (user && before && user.id !== before.id) return location.reload()
    if (user) queryClient.setQueryData(currentUser.queryKey, user)
    session.renew()
    await queryClient.invalidateQueries()
  }

  async function onSignedIn(): Promise<void> {
    await finish(await fetchSignedInUser())
    announceSignIn()
  }

  const onElsewhere = useEffectEvent(async () => {
    const user = await fetchSignedInUser()
    if (user) await finish(user)
  })
  useEffect(() => onSignInElsewhere(() => void onElsewhere()), [])

  return (
    <Dialog title="Your session has ended" width="narrow" onRequestClose={() => undefined}>
      <p className="mb-3 text-muted">
        Sign in to silo <strong>{silo}</strong> to continue. Nothing you have entered is lost.
      </p>
      {isPending ? (
        <Skeleton className="h-control-lg w-full" />
      ) : (
        <SignInMethods
          silo={silo}
          methods={methods}
          onSignedIn={() => void onSignedIn()}
          returnTo="/login/done"
          inPlace
        />
      )}
      <p className="pt-2 text-sm">
        <a href={loginPath(location.pathname + location.search)} className="link">
          Sign in elsewhere
        </a>{' '}
        <span className="text-muted">and lose your input.</span>
      </p>
    </Dialog>
  )
}

const fetchSignedInUser = (): Promise<CurrentUser | undefined> => ask(op.currentUserView, {})

/** Avoids `call`, which waits for a sign-in after a 401, while the sign-in waits for this. */
function loginMethods(siloName: string) {
  const input = { path: { siloName } }
  return {
    ...opQuery(op.loginMethodView, input),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<LoginMethods> => {
      const result = await client(op.loginMethodView, input, { signal })
      if (result.type === 'success') return result.data
      throw await failureOf(op.loginMethodView, result)
    },
  }
}
