// @chunk firewall-shared: of VPCs and of instances, and of no other details.
import { useEffect } from 'react'
import { createStore, useStore } from '#/store.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { Choice, Conflict } from './merge.ts'

interface Question {
  conflicts: readonly Conflict[]
  answer: (choices: readonly Choice[] | undefined) => void
}

const question = createStore<Question | undefined>(undefined)

/** Asks the user to resolve conflicting changes of rules, and waits for the answer. */
export const decideConflicts = (conflicts: readonly Conflict[]): Promise<readonly Choice[] | undefined> =>
  new Promise((resolve) => {
    question.get()?.answer(undefined)
    question.set({
      conflicts,
      answer: (choices) => {
        question.set(undefined)
        resolve(choices)
      },
    })
  })

const ConflictDialog = lazyPart(() => import('./ConflictDialog.tsx'), 'ConflictDialog')

/** Asks for the decisions that saving rules needs. Leaving the page decides nothing. */
export function ConflictSlot() {
  const pending = useStore(question)
  useEffect(() => () => question.get()?.answer(undefined), [])
  if (!pending) return null
  return (
    <ConflictDialog
      key={pending.conflicts.map(({ name }) => name).join()}
      conflicts={pending.conflicts}
      onAnswer={pending.answer}
    />
  )
}
