import { type QueryKey, useSuspenseQuery, type UseSuspenseQueryOptions } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Failure } from '#/data/failure.ts'
import type { LinkTarget } from '../links/link-target.ts'

/**
 * The object of a page, with `onDelete` and `onRename`, which report what is done to it from here. When another user deletes it, the page becomes `Page not found`. When it is deleted from
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
  const onRename = (is: Renaming): void => {
    setGoing(is !== 'refused')
    if (typeof is !== 'object') return
    const opened = navigate({ to: '.', params: (old) => ({ ...old, ...is }), search: true, replace: true })
    void opened.finally(() => setGoing(false))
  }
  return { data, dataUpdatedAt, onDelete, onRename }
}

/** Progress of a renaming: at last the parameters of the page under the new name, which opens in its place. */
export type Renaming = 'sent' | 'refused' | Readonly<Record<string, string>>

/** Renames a page's object, whose address then ends. The form reports the new one once it is closed. */
export async function reportRenaming<Saved>(
  run: () => Promise<Saved>,
  onRename: ((is: Renaming) => void) | undefined,
): Promise<Saved> {
  onRename?.('sent')
  try {
    return await run()
  } catch (error) {
    onRename?.('refused')
    throw error
  }
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
