import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { useLiveState } from '../data/live.ts'
import { lazily } from '../ui/lazily.ts'
import { patiently, whenIdle } from '../ui/late.ts'

/*
 * Parts that no page needs to be shown, kept out of the first load and fetched once it is there (`loadLater`),
 * so that an error screen does not depend on a server that has just failed.
 */
const loadErrors = () => import('./ErrorScreen.tsx')
const loadLiveNote = () => import('./LiveNote.tsx')
const loadDrawer = () => import('./Drawer.tsx')

export const loadLater = (): Promise<unknown> =>
  Promise.allSettled([loadErrors(), loadLiveNote(), loadDrawer()])

/** Shown when its code is there, and until then nothing. */
function late<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Late = lazy(async () => ({ default: (await patiently(load)) as ComponentType<object> }))
  return (props: Props) => (
    <Suspense>
      <Late {...props} />
    </Suspense>
  )
}

/** The same, but not even fetched while the first page is still on its way. */
function afterwards<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Late = late(load)
  return function Afterwards(props: Props) {
    const [isDue, setDue] = useState(false)
    useEffect(() => whenIdle(() => setDue(true)), [])
    return isDue && <Late {...props} />
  }
}

export const ErrorScreen = late(async () => (await loadErrors()).ErrorScreen)
export const NotFoundScreen = late(async () => (await loadErrors()).NotFoundScreen)
export const Drawer = late(async () => (await loadDrawer()).Drawer)
export const Later = afterwards(async () => (await import('./Afterwards.tsx')).Afterwards)
export const Overlays = afterwards(async () => (await import('./Overlays.tsx')).Overlays)

const LateNote = lazily(loadLiveNote, 'LiveNote')

/** Fetched long before it is shown: when it is, there is no server to fetch it from. Until then the word must do. */
export function LiveNote() {
  const isLost = useLiveState() === 'lost'
  return (
    <div role="status" className="shrink-0">
      {isLost && (
        <Suspense fallback="Reconnecting">
          <LateNote />
        </Suspense>
      )}
    </div>
  )
}
