// @chunk activity-log: of the accounts of all kinds of places, which no list or form needs.
import { activityPage } from '@gantry/api/history/activity.rules'
import { call } from '#/data/client.ts'
import { useExport } from '#/kit/list/use-export.ts'
import { type ActivityEntry, type ActivityScope, filtersOf, listOf, placeOf } from './queries.ts'
import type { ActivitySearch } from './search.ts'

/** Saves all entries that match. */
export const useActivityExport = (scope: ActivityScope, search: ActivitySearch) =>
  useExport<ActivityEntry>({
    name: 'activity',
    noun: 'entries',
    read: async (pageToken, _format, signal) => {
      const first = { ...placeOf(scope), ...filtersOf(search, new Date()) }
      const query = { ...(pageToken ? { pageToken } : first), limit: activityPage }
      const { data } = await call(listOf(scope), { query }, { signal })
      return { items: data.items, nextPage: data.nextPage ?? undefined }
    },
    write: async () => (await import('./export.ts')).exported,
  })
