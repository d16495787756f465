import { useEffect, useState } from 'react'

const START_MS = 20
const END_MS = 300

type Phase = 'off' | 'waiting' | 'running' | 'ending'

/** The line at the very top while a page is on its way. What is ready within 20 ms shows nothing. */
export function LoadingBar({ active }: { active: boolean }) {
  const [phase, setPhase] = useState<Phase>('off')
  const next = follow(phase, active)
  if (next !== phase) setPhase(next)
  useEffect(() => {
    if (phase !== 'waiting' && phase !== 'ending') return
    const timer = setTimeout(
      () => setPhase(phase === 'waiting' ? 'running' : 'off'),
      phase === 'waiting' ? START_MS : END_MS,
    )
    return () => clearTimeout(timer)
  }, [phase])

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
