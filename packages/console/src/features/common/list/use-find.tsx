import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { Button } from '#/ui/Button.tsx'
import { passFocusTo, surroundings } from '#/ui/focus.ts'
import type { FindSearch } from '../use-list-page.ts'
import { withoutEmpty } from '../without-empty.ts'

/** The URL's filters and order, and a setter, which returns to the first page. */
export function useFind() {
  const navigate = useNavigate()
  const search: FindSearch = useSearch({ strict: false })
  const find = useCallback(
    (change: FindSearch, { replace = false } = {}): void =>
      void navigate({
        to: '.',
        search: (old) => withoutEmpty({ ...old, ...change, page: undefined }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  )
  const clear = (): void => find({ name: undefined, state: undefined, age: undefined })
  return { search, find, clear }
}

const passToFilter = passFocusTo(
  (leaving) => document.querySelector<HTMLElement>('main search :is(input, select)') ?? surroundings(leaving),
)

/** Belongs into a `search` element. Goes with the filters, and the first of them then gets the focus. */
export function ClearFilters({ onClear }: { onClear: () => void }) {
  return (
    <Button ref={passToFilter} kind="quiet" onClick={onClear}>
      Clear filters
    </Button>
  )
}

const nothing = 'Nothing matches'

/** Without matches, the user should change the filter, so this is not the empty state with its create button. */
export function NothingMatches({ onClear }: { onClear?: () => void }) {
  const { clear } = useFind()
  return (
    <div
      ref={passToFilter}
      className="grid justify-items-start gap-3 rounded-block border border-dashed border-control-line p-6"
    >
      <h2 className="text-base">{nothing}</h2>
      <Announcement text={nothing} />
      <Button onClick={onClear ?? clear}>Clear filters</Button>
    </div>
  )
}

const settleMs = 150

/** A live region announces only changes made after it has been in the document for a moment. */
function Announcement({ text }: { text: string }) {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setSettled, settleMs, true)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" className="sr-only">
      {isSettled && text}
    </div>
  )
}
