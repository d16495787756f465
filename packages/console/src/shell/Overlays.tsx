import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { startLive } from '#/data/live-stream.ts'
import { useCurrentUser } from '#/data/current-user.ts'
import { loadErrorWords } from '#/data/failure.ts'
import { live } from '#/data/live.ts'
import { dismissQuestion, openQuestion } from '#/kit/feedback/confirm.tsx'
import { opened, recentOf } from '#/kit/page/recent-objects.ts'
import { recordAction } from '#/kit/page/panel-route.ts'
import { isPaletteOpen } from '#/kit/page/palette-items.ts'
import { lazyPart, whenPartIsMissing } from '#/ui/lazy-part.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { useStore } from '#/store.ts'
import { Drawer, ErrorScreen, LiveNote } from './parts.tsx'
import { overlays } from './registry.tsx'

const Palette = lazyPart(() => import('./Palette.tsx'), 'Palette')
const ConfirmSlot = lazyPart(() => import('./ConfirmSlot.tsx'), 'ConfirmSlot')

const prefetchMs = 3000
const prefetches = [Palette, ConfirmSlot, Drawer, ErrorScreen, LiveNote].map(({ prefetch }) => prefetch)

let isStarted = false

/** Shared by all signed-in pages outside the frame: the palette, confirmations, session renewal, the change stream. */
export function Overlays() {
  const queryClient = useQueryClient()
  const { history } = useRouter()
  const hasPalette = useStore(isPaletteOpen)
  const question = useStore(openQuestion)
  const { id: userId } = useCurrentUser()

  useEffect(() => {
    if (isStarted) return
    isStarted = true
    startLive(queryClient)
    whenPartIsMissing(reportMissingPart)
    setTimeout(
      () => void Promise.allSettled([...prefetches, loadErrorWords].map((load) => load())),
      prefetchMs,
    )
  }, [queryClient])
  // Not before the first page: once the history has a listener, the router leaves the first redirect to it.
  useEffect(() => {
    let { pathname } = history.location
    recentOf(userId)
    opened(pathname)
    return history.subscribe(({ action, location }) => {
      recordAction(action.type)
      // It is about an object of the page that was left, and over another page it would read as if about one there.
      if (location.pathname !== pathname) dismissQuestion()
      pathname = location.pathname
      opened(pathname)
    })
  }, [history, userId])

  return (
    <>
      {hasPalette && <Palette />}
      {question && <ConfirmSlot key={question.id} question={question} />}
      {overlays.map((Overlay) => (
        <Overlay key={Overlay.name} />
      ))}
    </>
  )
}

let isReported = false

/**
 * After an update, the server may lack files that an open page needs. A reload would lose typed input, so the user
 * decides when.
 */
function reportMissingPart(): void {
  // If the server is unreachable, another notice says so, and the file loads when it is back.
  if (isReported || live.state.get() === 'lost') return
  isReported = true
  toast.info(
    {
      title: 'Part of this page could not be loaded',
      text: 'The console may have been updated. Reload the page to continue. Unsaved input will be lost.',
    },
    null,
  )
}
