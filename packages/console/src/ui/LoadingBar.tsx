import { useEffect, useState } from 'react'

/** Other rows of the same page, as while somebody types into a filter, come mostly sooner than the bar would be seen. */
const startMs = { page: 20, rows: 250 }
const END_MS = 300

type Phase = 'off' | 'waiting' | 'running' | 'ending'

/** The line at the very top while something is on its way. What is ready before it starts shows nothing. */
export function LoadingBar({ awaited }: { awaited: keyof typeof startMs | undefined }) {
  const [phase, setPhase] = useState<Phase>('off')
  const next = follow(phase, awaited !== undefined)
  const patience = startMs[awaited ?? 'page']
  if (next !== phase) setPhase(next)
  useEffect(() => {
    if (phase !== 'waiting' && phase !== 'ending') return
    const timer = setTimeout(
      () => setPhase(phase === 'waiting' ? 'running' : 'off'),
      phase === 'waiting' ? patience : END_MS,
    )
    return () => clearTimeout(timer)
  }, [phase, patience])

  if (phase === 'off' || phase === 'waiting') return null
  return (
    <div
      aria-hidden
      data-print="hide"
      className="pointer-events-none fixed inset-x-0 top-0 z-(--layer-toast) h-0.5 overflow-hidden"
    >
      <div
        className={
          phase === 'running'
            ? 'size-full origin-left animate-[bar_4s_ease-out_forwards] bg-accent-edge motion-reduce:animate-[pulse_1.6s_infinite]'
            : 'size-full animate-[fade-out_300ms_forwards] bg-accent-edge'
        }
      />
    </div>
  )
}

function follow(phase: Phase, active: boolean): Phase {
  if (active) return phase === 'off' || phase === 'ending' ? 'waiting' : phase
  if (phase === 'waiting') return 'off'
  return phase === 'running' ? 'ending' : phase
}
