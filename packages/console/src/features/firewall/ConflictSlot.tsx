import { useEffect, useSyncExternalStore } from 'react'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { Choice, Conflict } from './merge.ts'

interface Question {
  conflicts: readonly Conflict[]
  answer: (choices: readonly Choice[] | undefined) => void
}

let current: Question | undefined
const listeners = new Set<() => void>()

function set(next: Question | undefined): void {
  current = next
  for (const listener of listeners) listener()
}

/** Asks the user to resolve conflicting changes of rules, and waits for the answer. */
export const conflictSlot = {
  current: (): Question | undefined => current,
  decide: (conflicts: readonly Conflict[]): Promise<readonly Choice[] | undefined> =>
    new Promise((resolve) => {
      current?.answer(undefined)
      set({
        conflicts,
        answer: (choices) => {
          set(undefined)
          resolve(choices)
        },
      })
    }),
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

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
