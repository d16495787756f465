// @chunk found-lists: of lists that are filtered, which no other page needs.
import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { detailedRows } from '@gantry/api/base/list-details.rules'
import type { OfProjectKind } from '@gantry/api/filter/list-kinds.rules'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '#/data/client.ts'
import type { Failure } from '#/data/failure.ts'
import { metaOf } from '#/data/queries.ts'
import { type Deferred, deferredOf, DeferredValue } from '#/kit/page/deferred.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'

export type Detail = OutputOf<'listDetails'>['items'][number]

/** What lists show of related objects, by the ids of rows. */
export type Details = Deferred<ReadonlyMap<string, Detail>>

type Rows = readonly { id: string }[]

/** One request for the rows of a page, and more for a page of very many. */
const detailsOf = (kind: OfProjectKind, rows: Rows) => {
  const ids = rows.map(({ id }) => id)
  return queryOptions<ReadonlyMap<string, Detail>, Failure>({
    queryKey: [op.listDetails.name, { query: { kind }, ids }],
    meta: metaOf(op.listDetails),
    queryFn: async ({ signal }) => {
      const starts = ids.flatMap((_, at) => (at % detailedRows === 0 ? [at] : []))
      const parts = await Promise.all(
        starts.map((at) =>
          call(op.listDetails, { query: { kind, id: ids.slice(at, at + detailedRows) } }, { signal }),
        ),
      )
      return new Map(parts.flatMap(({ data }) => data.items).map((detail) => [detail.id, detail]))
    },
    placeholderData: keepPreviousData,
    enabled: ids.length > 0,
  })
}

export function useDetails(kind: OfProjectKind, rows: Rows): Details {
  const isServed = useHasExtensions()
  const details = deferredOf(useQuery({ ...detailsOf(kind, rows), ...(!isServed && { enabled: false }) }))
  return isServed ? details : 'unknown'
}

/** A cell that shows something of a row's detail. */
export function DetailValue({
  of,
  id,
  render,
}: {
  of: Details
  id: string
  render: (detail: Detail) => ReactNode
}) {
  return (
    <DeferredValue
      of={of}
      render={(known) => {
        const detail = known.get(id)
        return detail && render(detail)
      }}
    />
  )
}
