// @chunk list-work: filters, totals and keys of lists, which are there once their rows are.
import * as op from '@gantry/api/client/operations.gen'
import { type FilteredKind, listKind } from '@gantry/api/filter/list-kinds.rules'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { type ListName, type ListQuery, opQuery } from '#/data/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { formatNumber, plural } from '#/ui/data/format.ts'
import { Memory, Size } from '#/ui/data/Figures.tsx'
import type { ListPlace } from '../found-list.ts'
import { useFind } from '../use-find.ts'
import { filterOf } from './filter-of.ts'
import { withoutTerm } from './suggestions.ts'

interface Props {
  kind: FilteredKind
  place: ListPlace
  filter: string
}

const totalsOf = ({ kind, place, filter }: Props) => ({
  ...opQuery(op.listTotals, { query: { kind, ...place, ...(filter && { filter }) } }),
  placeholderData: keepPreviousData,
  // They follow the rows, and not each change.
  meta: { reads: [] },
})

/** Totals examine every object of the place, so while its rows change they are read again at most this often. */
const pauseMs = 10_000

/** The totals of a list, read again after its rows were; none until the filter is known. */
export function useTotals(
  { filter, ...asked }: Omit<Props, 'filter'> & { filter: string | undefined },
  list: ListQuery<ListName>,
) {
  const { page } = useSearch({ strict: false })
  const isAsked = filter !== undefined
  const { dataUpdatedAt: rowsReadAt } = useQuery({ ...list.at(page), enabled: false })
  const { data, dataUpdatedAt, refetch } = useQuery({
    ...totalsOf({ ...asked, filter: filter ?? '' }),
    enabled: isAsked,
  })
  useEffect(() => {
    if (!isAsked || dataUpdatedAt === 0 || rowsReadAt <= dataUpdatedAt) return
    const timer = setTimeout(() => void refetch(), Math.max(0, dataUpdatedAt + pauseMs - Date.now()))
    return () => clearTimeout(timer)
  }, [isAsked, rowsReadAt, dataUpdatedAt, refetch])
  return data
}

/** How many match, and what they take up together. */
export function Totals({
  list,
  children,
  ...asked
}: Props & { list: ListQuery<ListName>; children?: ReactNode }) {
  const data = useTotals(asked, list)
  return (
    <div className="mt-2 flex min-h-control flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      {data && (
        <p role="status" className="flex flex-wrap gap-x-4 text-muted tabular-nums">
          <span>
            <b className="font-semibold text-strong">{formatNumber(data.count)}</b>{' '}
            {asked.filter === ''
              ? plural(listKind(asked.kind).noun, data.count)
              : `of ${formatNumber(data.all)} match`}
          </span>
          {typeof data.ncpus === 'number' && (
            <span>
              <b className="font-semibold text-strong">{formatNumber(data.ncpus)}</b>{' '}
              {plural('vCPU', data.ncpus)}
            </span>
          )}
          {typeof data.memory === 'number' && (
            <span>
              <Memory bytes={data.memory} /> memory
            </span>
          )}
          {typeof data.size === 'number' && (
            <span>
              <Size bytes={data.size} /> storage
            </span>
          )}
        </p>
      )}
      {children && <div className="ml-auto flex items-center gap-4">{children}</div>}
    </div>
  )
}

/** Which term hides what, where nothing matches. */
export function HidingTerms({ kind, place }: Pick<Props, 'kind' | 'place'>) {
  const { search, find } = useFind()
  const filter = filterOf(search)
  const { data } = useQuery(totalsOf({ kind, place, filter }))
  const hiding = (data?.count === 0 ? data.without : []).filter(({ count }) => count > 0)
  if (hiding.length === 0) return null
  return (
    <ul aria-label="What hides them" className="grid justify-items-start gap-2">
      {hiding.map(({ term, count }) => (
        <li key={term} className="flex flex-wrap items-center gap-2">
          <span>
            Without <code className="font-mono text-sm">{term}</code>, {formatNumber(count)}{' '}
            {count === 1 ? 'matches' : 'match'}.
          </span>
          <Button
            onClick={() =>
              find({ filter: withoutTerm(filter, term), name: undefined, state: undefined, age: undefined })
            }
          >
            Remove <span className="sr-only">{term}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}
