import { isUuid } from '@gantry/api/base/name.rules'
import { notFound } from '@tanstack/react-router'
import type { Loading, Prefetchable } from '#/data/loading.ts'
import type { ListName, ListQuery } from '#/data/queries.ts'
import { pageSearch } from '../list/use-list-page.ts'

interface Visit {
  context: Loading
  location: { search: Record<string, unknown> }
}

/** Reads the list page that the URL names, and starts reading `soon`, which rows show later, such as names by id. */
export function loadList<Name extends ListName>(
  { context, location }: Visit,
  list: ListQuery<Name>,
  ...soon: Prefetchable[]
): Promise<void> {
  context.begin(...soon)
  return context.prefetch(list.at(pageSearch(location.search).page))
}

/** For pages addressed by id: a malformed id gets `Page not found` instead of the server's validation error. */
export function needId(id: string): void {
  if (!isUuid(id)) throw notFound()
}
