import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { startLive } from '../data/live-stream.ts'
import { loadErrorWords } from '../data/failure.ts'
import { session } from '../data/session.ts'
import { confirmSlot } from '../features/common/confirm-slot.ts'
import { noteAction } from '../features/common/last-action.ts'
import { palette } from '../features/common/palette-items.ts'
import { uploads } from '../features/images/upload/uploads.ts'
import { lazily } from '../ui/lazily.ts'
import { onMissing, settled } from '../ui/late.ts'
import { loadLater } from './later.tsx'
import { tellMissing } from './missing-part.ts'

const loadPalette = () => import('./Palette.tsx')
const loadSignIn = () => import('./SignInDialog.tsx')
const loadConfirm = () => import('./ConfirmSlot.tsx')
const Palette = lazily(loadPalette, 'Palette')
const SignInDialog = lazily(loadSignIn, 'SignInDialog')
const UploadSlot = lazily(() => import('../features/images/upload/UploadSlot.tsx'), 'UploadSlot')
const ConfirmSlot = lazily(loadConfirm, 'ConfirmSlot')

/** Opened or shown later than the first page, if at all. */
const late = [loadPalette, loadSignIn, loadConfirm, loadLater, loadErrorWords]

let isStarted = false

/** What signed-in pages share beyond their frame: the palette, confirmations, sign-in in place, the change stream. */
export function Overlays() {
  const queryClient = useQueryClient()
  const { history } = useRouter()
  const isPaletteOpen = useSyncExternalStore(palette.subscribe, palette.isOpen)
  const asked = useSyncExternalStore(confirmSlot.subscribe, confirmSlot.current)
  const upload = useSyncExternalStore(uploads.subscribe, uploads.current)
  const hasEnded = useSyncExternalStore(session.subscribe, session.hasEnded)

  useEffect(() => {
    if (isStarted) return
    isStarted = true
    startLive(queryClient)
    onMissing(tellMissing)
    void settled.then(() => Promise.allSettled(late.map((load) => load())))
  }, [queryClient])
  // Not before the first page is there: a history that is listened to leaves its first redirect to the listener.
  useEffect(() => history.subscribe(({ action }) => noteAction(action.type)), [history])

  return (
    <Suspense>
      {isPaletteOpen && <Palette />}
      {upload && <UploadSlot task={upload.task} isHidden={upload.isHidden} />}
      {asked && <ConfirmSlot key={asked.id} asked={asked} />}
      {hasEnded && <SignInDialog />}
    </Suspense>
  )
}
