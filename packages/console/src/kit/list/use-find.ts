import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { FindSearch } from './use-list-page.ts'
import { withoutEmpty } from '../inputs/without-empty.ts'

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
  const clear = (): void =>
    find({ filter: undefined, name: undefined, state: undefined, age: undefined, view: undefined })
  return { search, find, clear }
}
