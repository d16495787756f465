// @chunk list-export: what lists, the activity and the audit log save and copy, once a user asks for it.
import { activityPage } from '@gantry/api/history/activity.rules'
import { call } from '#/data/client.ts'
import { atOnce, useExport } from '#/kit/list/use-export.ts'
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
    write: async (format) => {
      const { exported } = await import('./export.ts')
      return atOnce((items) => exported(items, format))
    },
  })
