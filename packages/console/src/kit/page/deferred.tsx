import { useQuery, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { Failure } from '#/data/failure.ts'
import { usePolling } from '#/data/live.ts'
import { readAgain } from '#/data/queries.ts'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import type { LinkTarget } from '../links/link-target.ts'
import { PageLink } from '../links/PageLink.tsx'
import { pollSlowly } from './poll-while.ts'

/** Undefined while loading, and `unknown` if it could not be read. */
export type Deferred<Data> = Data | 'unknown' | undefined

export const deferredOf = <Data,>({
  data,
  isError,
}: Pick<UseQueryResult<Data>, 'data' | 'isError'>): Deferred<Data> =>
  data ?? (isError ? 'unknown' : undefined)

/** A table cell whose data loads after the row. */
export function DeferredValue<Data>({
  of: value,
  render,
}: {
  of: Deferred<Data>
  render: (data: Data) => ReactNode
}) {
  if (value === undefined) return <Skeleton />
  return value === 'unknown' ? <span className="text-faint">unknown</span> : render(value)
}

interface Named {
  id: string
  name: string
}

/** Names by id. */
export type Names = Deferred<ReadonlyMap<string, string>>

/** The names of everything that a query reads, for rows that know only ids. */
export function useNames<Item extends Named, Key extends readonly unknown[]>(
  query: UseQueryOptions<Item[], Failure, Item[], Key>,
): Names {
  const polling = usePolling(pollSlowly())
  const { data, isError } = useQuery({
    ...query,
    ...readAgain,
    refetchInterval: query.refetchInterval || polling,
  })
  const names = useMemo(() => data && new Map(data.map(({ id, name }) => [id, name])), [data])
  return deferredOf({ data: names, isError })
}

/** Undefined also while the names load, and if they could not be read. */
export const nameIn = (names: Names, id: string): string | undefined =>
  names === 'unknown' ? undefined : names?.get(id)

interface Props {
  names: Names
  id: string
  /** Shown for an id without a name: its object was deleted. */
  gone: ReactNode
  linkOf?: (name: string) => LinkTarget
}

/** The name of another object in a row, as a link to its page if it has one. */
export function NameOf({ names, id, gone, linkOf }: Props) {
  return (
    <DeferredValue
      of={names}
      render={(known) => {
        const name = known.get(id)
        if (name === undefined) return gone
        return linkOf ? (
          <PageLink {...linkOf(name)} className="link">
            {name}
          </PageLink>
        ) : (
          name
        )
      }}
    />
  )
}
