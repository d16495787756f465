import { activityActions, activityFilters } from '@gantry/api/history/activity.rules'
import { kinds } from '@gantry/api/kind.gen'
import type { InputOf, OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { isUuid } from '@gantry/api/base/name.rules'
import type { Loading } from '#/data/loading.ts'
import { type ListQuery, listQuery } from '#/data/queries.ts'
import { isPeriod, spanOf } from './periods.ts'
import { type ActivitySearch, activitySearch } from './search.ts'

export type ActivityEntry = OutputOf<'activityList'>['items'][number]
export type ActivityChange = ActivityEntry['changes'][number]

/** Entries of their own that a user selects, by their ids, across pages. */
export type Picked = ReadonlyMap<string, ActivityEntry>

/** Whether a user did it, and was not refused. */
export const isOwn = ({ actor, outcome }: ActivityEntry, userId: string): boolean =>
  actor.id === userId && outcome !== 'refused'

type Query = NonNullable<InputOf<'activityList'>['query']>

/** Whose account it is; of an object, within its project, its silo or the fleet. */
export type ActivityScope = (
  | { of: 'project'; project: string }
  | { of: 'silo' }
  | { of: 'me' }
  | { of: 'fleet'; list: typeof op.activityList }
) & { object?: string | undefined }

/** The change stream does not tell of refused requests. */
const pollMs = 10_000

/** Filters by what the platform did, besides the names of users. */
export const platformWord = 'platform'

export function activityEntries(
  scope: ActivityScope,
  search: ActivitySearch,
  now = new Date(),
): ListQuery<'activityList'> {
  const query = { ...placeOf(scope), ...filtersOf(search, now) }
  const list = listQuery(listOf(scope), { query })
  return { ...list, at: (pageToken) => ({ ...list.at(pageToken), refetchInterval: pollMs }) }
}

export const listOf = (scope: ActivityScope): typeof op.activityList =>
  scope.of === 'fleet' ? scope.list : op.activityList

export function placeOf(scope: ActivityScope): Query {
  const object = scope.object !== undefined && isUuid(scope.object) && { object: scope.object }
  return {
    ...(scope.of === 'project' && { project: scope.project }),
    ...(scope.of === 'me' && { mine: true }),
    ...object,
  }
}

/** The query for the server. Invalid values are ignored. */
export function filtersOf({ search, by, kind, action, outcome, when }: ActivitySearch, now: Date): Query {
  const knownKind = kinds.find((each) => each === kind)
  const knownAction = activityActions.find((each) => each === action)
  const knownOutcome = activityFilters.find((each) => each === outcome)
  return {
    ...(search && { search }),
    ...(by === platformWord ? { byPlatform: true } : by && { by }),
    ...(knownKind && { kind: [knownKind] }),
    ...(knownAction && { action: [knownAction] }),
    ...(knownOutcome && { outcome: knownOutcome }),
    ...(isPeriod(when) && spanOf(when, now)),
  }
}

interface Visit {
  context: Loading
  location: { search: Record<string, unknown> }
}

/** Reads the page of activity that the URL names. */
export function readActivity({ context, location }: Visit, scope: ActivityScope): Promise<void> {
  const search = activitySearch(location.search)
  return context.prefetch(activityEntries({ object: search.object, ...scope }, search).at(search.page))
}
