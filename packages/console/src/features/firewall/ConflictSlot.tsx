import { useEffect, useSyncExternalStore } from 'react'
import { conflictSlot } from './conflict-slot.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'

const ConflictDialog = lazyPart(() => import('./ConflictDialog.tsx'), 'ConflictDialog')

/** Asks for the decisions that saving rules needs. Leaving the page decides nothing. */
export function ConflictSlot() {
  const pending = useSyncExternalStore(conflictSlot.subscribe, conflictSlot.current)
  useEffect(() => () => conflictSlot.current()?.answer(undefined), [])
  if (!pending) return null
  return (
    <ConflictDialog
      key={pending.conflicts.map(({ name }) => name).join()}
      conflicts={pending.conflicts}
      onAnswer={pending.answer}
    />
  )
}
