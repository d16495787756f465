import * as op from '@gantry/api/client/operations.gen'
import { maxNamedIds } from '@gantry/api/extensions.rules'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { opQuery } from '#/data/queries.ts'
import type { Fallback } from '#/data/fallback.ts'
import { objectNames, type ObjectNames } from './field-words.ts'

/** Names change rarely. */
const staleMs = 60_000

/** A server without the extension resolves no ids, which are then shown themselves. */
const noNames: Fallback<'objectNames'> = async () => ({ data: { items: [] }, etag: undefined })

/** The names behind these ids, by one request; empty until they are known. */
export function useObjectNames(ids: readonly string[]): ObjectNames {
  const asked = [...new Set(ids)].slice(0, maxNamedIds)
  const { data } = useQuery({
    ...opQuery(op.objectNames, { query: { id: asked } }, noNames),
    enabled: asked.length > 0,
    staleTime: staleMs,
    placeholderData: keepPreviousData,
  })
  return useMemo(() => objectNames(data?.items ?? []), [data])
}
