import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { Button } from '#/ui/Button.tsx'
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

/** Without matches, the user should change the filter, so this is not the empty state with its create button. */
export function NothingMatches({ onClear }: { onClear?: () => void }) {
  const { clear } = useFind()
  return (
    <div className="grid justify-items-start gap-3 rounded-block border border-dashed border-control-line p-6">
      <h2 className="text-base">Nothing matches</h2>
      <Button onClick={onClear ?? clear}>Clear filters</Button>
    </div>
  )
}
