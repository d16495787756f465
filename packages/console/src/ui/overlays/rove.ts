import type { KeyboardEvent } from 'react'

const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** Moves the focus among elements of a role with arrows (wrapping), Home and End. Returns the focused one. */
export function rove(event: KeyboardEvent<HTMLElement>, role: string): HTMLElement | undefined {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(`[role=${role}]`)]
  const current = items.findIndex((item) => item.contains(document.activeElement))
  const step = steps[event.key]
  const isEdge = event.key === 'Home' || event.key === 'End'
  if (current < 0 || (step === undefined && !isEdge)) return undefined
  const index = isEdge ? (event.key === 'Home' ? 0 : -1) : (current + (step ?? 0)) % items.length
  const next = items.at(index)
  event.preventDefault()
  next?.focus()
  return next
}
