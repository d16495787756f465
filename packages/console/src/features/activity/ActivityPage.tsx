// @chunk activity-log: of the accounts of all kinds of places, which no list or form needs.
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { RefreshData } from '#/kit/list/RefreshData.tsx'
import { useListPage } from '#/kit/list/use-list-page.ts'
import { ActivityLog } from './ActivityLog.tsx'
import { activityEntries, type ActivityScope } from './queries.ts'
import type { ActivitySearch } from './search.ts'

interface Props {
  scope: ActivityScope
  search: ActivitySearch
}

/** A page of its own: of a project, a silo, the fleet, or oneself. */
export function ActivityPage({ scope: place, search }: Props) {
  const scope = { object: search.object, ...place }
  const list = useListPage(activityEntries(scope, search))
  return (
    <ListPage
      title={titles[scope.of]}
      docs={
        <DocsPopover topic="activity" page="history#activity">
          What happened, newest first: who did it or why the platform did, what it was before, and what
          changed elsewhere. Deleted objects keep their entries.
        </DocsPopover>
      }
      actions={
        <RefreshData updatedAt={list.updatedAt} onRefresh={list.refresh} isRefreshing={list.isRefreshing} />
      }
    >
      <ActivityLog scope={scope} search={search} list={list} />
    </ListPage>
  )
}

const titles = { project: 'Activity', silo: 'Activity', fleet: 'Activity', me: 'My activity' } as const

/** The same in a tab of its object. */
export function ActivityTab({ scope, search }: Props) {
  return <ActivityLog scope={scope} search={search} list={useListPage(activityEntries(scope, search))} />
}
