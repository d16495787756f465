import { useEffect, useRef, useState } from 'react'

import { afterTimer, follow, type Phase } from './loading-phase.ts'

/** New rows of the same page, for example while filtering, mostly arrive before this delay. */
const startMs = { page: 20, rows: 250 }
/** Minimum time on screen (specification, section 9), so that it does not flicker. */
const MIN_MS = 500
const END_MS = 300

/** The loading bar at the top of the page. A load that ends before the delay shows nothing. */
export function LoadingBar({ awaited }: { awaited: keyof typeof startMs | undefined }) {
  const [phase, setPhase] = useState<Phase>('off')
  const next = follow(phase, awaited !== undefined)
  const delayMs = startMs[awaited ?? 'page']
  if (next !== phase) setPhase(next)
  const runningSince = useRef(0)
  useEffect(() => {
    if (phase === 'running') runningSince.current = performance.now()
    if (phase === 'off' || phase === 'running') return
    const shownMs = performance.now() - runningSince.current
    const timers = { waiting: delayMs, staying: Math.max(0, MIN_MS - shownMs), ending: END_MS }
    const timer = setTimeout(() => setPhase(afterTimer[phase]), timers[phase])
    return () => clearTimeout(timer)
  }, [phase, delayMs])

  if (phase === 'off' || phase === 'waiting') return null
  return (
    <div
      aria-hidden
      data-print="hide"
      className="pointer-events-none fixed inset-x-0 top-0 z-(--layer-toast) h-0.5 overflow-hidden"
    >
      <div
        className={
          phase !== 'ending'
            ? 'size-full origin-left animate-[bar_4s_ease-out_forwards] bg-accent-edge motion-reduce:animate-[pulse_1.6s_infinite]'
            : 'size-full animate-[fade-out_300ms_forwards] bg-accent-edge'
        }
      />
    </div>
  )
}
