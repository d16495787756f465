import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { currentUser } from '#/data/current-user.ts'
import { ownCopy } from '#/data/list-preferences.ts'
import { isOpenPage } from '#/data/open-pages.ts'
import { savedPreferences, takeSaved } from '#/data/saved-preferences.ts'
import { session } from '#/data/session.ts'
import { togglePalette } from '#/kit/page/palette-items.ts'
import { ErrorScreen } from '#/shell/parts.tsx'
import { useIdleParts } from '#/shell/use-idle-parts.ts'

export const Route = createFileRoute('/_console')({
  loader: async ({ context, location }) => {
    if (isOpenPage(location.pathname)) await context.tryPrefetch(currentUser)
    else {
      context.begin(savedPreferences)
      await context.prefetch(currentUser)
    }
    const user = context.queryClient.getQueryData(currentUser.queryKey)
    if (!user) return { isSignedIn: false }
    session.begin(user)
    if (ownCopy(user.id)) return signedIn
    // Without a copy, a list would show in one way first, and then in the user's.
    await context.tryPrefetch(savedPreferences)
    takeSaved(context.queryClient.getQueryData(savedPreferences.queryKey))
    return signedIn
  },
  component: ConsoleRoot,
  errorComponent: ErrorScreen,
})

const signedIn = { isSignedIn: true }

/** Wraps every signed-in page, and those that are open to all. */
function ConsoleRoot() {
  const { isSignedIn } = Route.useLoaderData()
  const idle = useIdleParts()
  // Before the first paint: a busy browser may run later effects seconds after the page can be seen. The palette opens
  // as soon as its code arrives.
  useLayoutEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <Outlet />
      {isSignedIn && idle && <idle.Overlays />}
    </>
  )
}

/** Also works inside fields; pressing it again closes the palette. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
    return
  event.preventDefault()
  togglePalette()
}
