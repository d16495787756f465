import { useEffect, useRef, useState } from 'react'

import { classes } from '../classes.ts'

/** A spinner, hidden from screen readers: the text around it says what is happening. */
export function Arc({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 12 12" aria-hidden className={classes('shrink-0 animate-turn', className)}>
      <circle cx="6" cy="6" r="4.75" fill="none" stroke="currentColor" strokeWidth="1.25" opacity=".32" />
      <path
        d="M6 1.25A4.75 4.75 0 0 1 10.75 6"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
    </svg>
  )
}

const sizes = { 12: 'size-3', 24: 'size-6', 36: 'size-9' }

export function Spinner({ size = 12, className }: { size?: keyof typeof sizes; className?: string }) {
  return (
    <span role="img" aria-label="Spinner" className={classes('inline-flex text-muted', className)}>
      <Arc className={sizes[size]} />
    </span>
  )
}

/** True while `active`, and for at least `ms`, so that a quick answer does not flicker. */
export function useMinimumTime(active: boolean, ms = 500) {
  const [isHeld, setHeld] = useState(false)
  const startedAt = useRef(0)
  // Set during the render that sees the start, so that no frame lies in between.
  if (active && !isHeld) setHeld(true)
  useEffect(() => {
    if (active) {
      startedAt.current = performance.now()
      return
    }
    if (!isHeld) return
    const left = ms - (performance.now() - startedAt.current)
    const timer = setTimeout(() => setHeld(false), Math.max(0, left))
    return () => clearTimeout(timer)
  }, [active, isHeld, ms])
  return active || isHeld
}
