import { type QueryKey, useSuspenseQuery, type UseSuspenseQueryOptions } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Failure } from '#/data/failure.ts'
import type { LinkTarget } from '../links/link-target.ts'

/**
 * The object of a page. When another user deletes it, the page becomes `Page not found`. When it is deleted from
 * here, the page stays until `onDelete` reports success, and then opens `list`.
 */
export function useViewed<Data, Key extends QueryKey>(
  query: UseSuspenseQueryOptions<Data, Failure, Data, Key>,
  list?: LinkTarget,
) {
  const navigate = useNavigate()
  const [isGoing, setGoing] = useState(false)
  const { data, error, dataUpdatedAt, isFetching } = useSuspenseQuery(query)
  // An object that was missing at the last visit is there again, perhaps: this visit asks first.
  if (error?.statusCode === 404 && !isFetching && !isGoing) throw error
  const onDelete = (is: Deletion): void => {
    setGoing(is !== 'refused')
    if (is === 'done' && list) void navigate(list)
  }
  return { data, dataUpdatedAt, onDelete }
}

/** Progress of a deletion that the user requested. */
export type Deletion = 'sent' | 'refused' | 'done'

/** Deletes a page's object and reports the progress to the page. */
export async function reportDeletion(
  run: () => Promise<unknown>,
  onDelete: ((is: Deletion) => void) | undefined,
): Promise<void> {
  onDelete?.('sent')
  try {
    await run()
  } catch (error) {
    onDelete?.('refused')
    throw error
  }
  onDelete?.('done')
}
