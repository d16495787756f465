import { useQueryClient } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { session } from '../data/session.ts'
import { confirmSlot } from '../features/common/confirm.tsx'
import { palette } from '../features/common/palette-items.ts'
import { loadLater } from './later.tsx'

const loadPalette = () => import('./Palette.tsx')
const loadSignIn = () => import('./SignInDialog.tsx')
const loadConfirm = () => import('./ConfirmSlot.tsx')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))
const SignInDialog = lazy(async () => ({ default: (await loadSignIn()).SignInDialog }))
const ConfirmSlot = lazy(async () => ({ default: (await loadConfirm()).ConfirmSlot }))

const idleMs = 3000
let isStarted = false

/** Everything that signed-in pages share beyond their frame: the palette, confirmations, sign-in in place. */
export function ConsoleRoot() {
  const queryClient = useQueryClient()
  const isPaletteOpen = useSyncExternalStore(palette.subscribe, palette.isOpen)
  const asked = useSyncExternalStore(confirmSlot.subscribe, confirmSlot.current)
  const hasEnded = useSyncExternalStore(session.subscribe, session.hasEnded)

  useEffect(() => {
    if (isStarted) return
    isStarted = true
    void import('../data/live-stream.ts').then(({ startLive }) => startLive(queryClient))
    // Fetched while there is nothing else to do, so that they open at once, also when the server has gone.
    setTimeout(
      () => void Promise.allSettled([loadPalette(), loadSignIn(), loadConfirm(), loadLater()]),
      idleMs,
    )
  }, [queryClient])
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <>
      <Outlet />
      <Suspense>
        {isPaletteOpen && <Palette />}
        {asked && <ConfirmSlot asked={asked} />}
        {hasEnded && <SignInDialog />}
      </Suspense>
    </>
  )
}

/** Also inside fields; pressing it again closes. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
    return
  event.preventDefault()
  palette.toggle()
}
