import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Star } from '#/features/favourites/parts.tsx'
import { activityKeys } from '#/features/activity/search.ts'
import { ActivityTab } from '#/features/activity/tab.ts'
import { isTransitional } from '#/features/disks/DiskState.tsx'
import { diskLink } from '#/features/disks/links.ts'
import { DiskFields } from '#/features/storage-pages/DiskFields.tsx'
import { type Disk, diskView } from '#/features/disks/queries.ts'
import { DiskDocs, useDiskRowActions } from '#/features/disks/use-disk-row-actions.tsx'
import { DiskMetrics } from '#/features/metrics/parts.tsx'
import { ProtectedTag } from '#/features/protection/ProtectedTag.tsx'
import { snapshotLink } from '#/features/snapshots/links.ts'
import { SnapshotState } from '#/features/snapshots/parts.tsx'
import { type Snapshot, snapshotsOf } from '#/features/snapshots/queries.ts'
import { usePolling } from '#/data/live.ts'
import { createdColumn, nameColumn, sizeColumn } from '#/kit/list/columns.tsx'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { texts } from '#/kit/list/use-list-page.ts'
import { pollWhile } from '#/kit/page/poll-while.ts'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'
import { UsesCard } from '#/kit/page/UsesCard.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import type { Column } from '#/ui/data/column.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'

const SchedulesCard = lazyPart(() => import('#/features/schedules/SchedulesCard.tsx'), 'SchedulesCard')
const ObjectTask = lazyPart(() => import('#/features/tasks/ObjectTask.tsx'), 'ObjectTask')

export const Route = createFileRoute('/_console/projects/$project/disks/$disk')({
  // Besides the tab, what its metrics or its activity show.
  validateSearch: texts('tab', 'range', 'from', 'to', 'every', 'compare', ...activityKeys),
  loader: ({ context, params: { project, disk } }) => context.prefetch(diskView(project, disk)),
  staticData: {
    crumb: [
      { label: 'Disks', to: '/projects/$project/disks' },
      { param: 'disk', to: '/projects/$project/disks/$disk' },
    ],
  },
  component: DiskPage,
})

const poll = pollWhile(isTransitional)

const tabsOf = (project: string, disk: string) =>
  [
    { id: 'uses', label: 'Snapshots', link: diskLink(project, disk) },
    { id: 'metrics', label: 'Metrics', link: diskLink(project, disk, 'metrics') },
    { id: 'activity', label: 'Activity', link: diskLink(project, disk, 'activity'), isExtension: true },
  ] as const

function DiskPage() {
  const { project, disk: name } = Route.useParams()
  const asked = Route.useSearch()
  const polls = usePolling(1) !== false
  const { data: disk, ...ofPage } = useViewed(
    {
      ...diskView(project, name),
      refetchInterval: ({ state }) => polls && poll(state.data ? [state.data] : []),
    },
    { to: '/projects/$project/disks', params: { project } },
  )
  const { actions, dialog } = useDiskRowActions(project, ofPage)
  const tabs = tabsOf(project, name)
  const current = tabs.find(({ id }) => id === asked.tab)?.id ?? 'uses'
  return (
    <ResourcePage
      title={disk.name}
      docs={<DiskDocs />}
      kind="Disk"
      state={
        <>
          <Star kind="disk" id={disk.id} name={disk.name} />
          <ProtectedTag project={project} id={disk.id} />
        </>
      }
      menu={() => actionMenu(actions(disk))}
      plate={<DiskFields project={project} disk={disk} />}
    >
      <div className="mt-4">
        <RouteTabs label="Disk" tabs={tabs} current={current}>
          {current === 'metrics' ? (
            <DiskMetrics project={project} id={disk.id} />
          ) : current === 'activity' ? (
            <ActivityTab scope={{ of: 'project', project, object: disk.id }} search={asked} />
          ) : (
            <div className="space-y-5">
              <Snapshots project={project} disk={disk} />
              <SchedulesCard project={project} object={disk.id} />
            </div>
          )}
        </RouteTabs>
      </div>
      {isTransitional(disk) && <ObjectTask project={project} id={disk.id} />}
      {dialog}
    </ResourcePage>
  )
}

const snapshotColumns = (project: string): Column<Snapshot>[] => [
  nameColumn(({ name }) => snapshotLink(project, name)),
  { id: 'state', header: 'State', part: 'state', cell: (snapshot) => <SnapshotState snapshot={snapshot} /> },
  sizeColumn(),
  createdColumn(),
]

function Snapshots({ project, disk: { id } }: { project: string; disk: Disk }) {
  return (
    <UsesCard
      title="Snapshots"
      list={snapshotsOf(project, id)}
      columns={useMemo(() => snapshotColumns(project), [project])}
      empty={{ title: 'No snapshots', text: 'A snapshot keeps the contents of the disk at a point in time.' }}
    />
  )
}
