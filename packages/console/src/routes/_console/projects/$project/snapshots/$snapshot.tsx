import { createFileRoute } from '@tanstack/react-router'
import { Star } from '#/features/favourites/parts.tsx'
import { WithActivity, withActivitySearch } from '#/features/activity/WithActivity.tsx'
import { diskColumns } from '#/features/storage-pages/disk-columns.tsx'
import { diskLink } from '#/features/disks/links.ts'
import { diskById, disksFrom } from '#/features/disks/queries.ts'
import { useDetails } from '#/features/found-list/details.tsx'
import { instanceSnapshotLink } from '#/features/instances/snapshots/links.ts'
import { scheduleLink } from '#/features/schedules/links.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { projectImageLink } from '#/features/images/links.ts'
import { type Image, imagesFrom } from '#/features/images/queries.ts'
import { snapshotLink } from '#/features/snapshots/links.ts'
import { SnapshotDocs, SnapshotState, useSnapshotRowActions } from '#/features/snapshots/parts.tsx'
import { type Snapshot, snapshotView } from '#/features/snapshots/queries.ts'
import { TagsItem } from '#/features/tags/TagsItem.tsx'
import { usePolling } from '#/data/live.ts'
import { createdColumn, nameColumn, sizeColumn } from '#/kit/list/columns.tsx'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { ObjectById } from '#/kit/page/ObjectById.tsx'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { pollWhile } from '#/kit/page/poll-while.ts'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { UsesCard } from '#/kit/page/UsesCard.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

const ObjectTask = lazyPart(() => import('#/features/tasks/ObjectTask.tsx'), 'ObjectTask')

export const Route = createFileRoute('/_console/projects/$project/snapshots/$snapshot')({
  validateSearch: withActivitySearch,
  loader: ({ context, params: { project, snapshot } }) => context.prefetch(snapshotView(project, snapshot)),
  staticData: {
    crumb: [
      { label: 'Snapshots', to: '/projects/$project/snapshots' },
      { param: 'snapshot', to: '/projects/$project/snapshots/$snapshot' },
    ],
  },
  component: SnapshotPage,
})

const isBusy = ({ state }: Snapshot): boolean => state === 'creating'
const poll = pollWhile(isBusy)

function SnapshotPage() {
  const { project, snapshot: name } = Route.useParams()
  const polls = usePolling(1) !== false
  const { data: snapshot, onDelete } = useViewed(
    {
      ...snapshotView(project, name),
      refetchInterval: ({ state }) => polls && poll(state.data ? [state.data] : []),
    },
    { to: '/projects/$project/snapshots', params: { project } },
  )
  const actions = useSnapshotRowActions(project, onDelete)
  const link = snapshotLink(project, name)
  return (
    <ResourcePage
      title={snapshot.name}
      docs={<SnapshotDocs />}
      kind="Snapshot"
      state={<Star kind="snapshot" id={snapshot.id} name={snapshot.name} />}
      menu={() => actionMenu(actions(snapshot))}
      plate={<Plate project={project} snapshot={snapshot} />}
    >
      <div className="mt-4">
        <WithActivity
          label="Snapshot"
          contents="Used by"
          link={link}
          activityLink={{ ...link, search: { tab: 'activity' } }}
          scope={{ of: 'project', project, object: snapshot.id }}
          asked={Route.useSearch()}
        >
          <Uses project={project} id={snapshot.id} />
        </WithActivity>
      </div>
      {isBusy(snapshot) && <ObjectTask project={project} id={snapshot.id} />}
    </ResourcePage>
  )
}

function Plate({ project, snapshot }: { project: string; snapshot: Snapshot }) {
  const { id, description, diskId, size } = snapshot
  return (
    <DataPlate summary={<SnapshotState snapshot={snapshot} />}>
      <DataItem label="State">
        <SnapshotState snapshot={snapshot} />
      </DataItem>
      <DataItem label="Disk">
        <ObjectById query={diskById(diskId)} linkOf={(disk) => diskLink(project, disk.name)} />
      </DataItem>
      <DataItem label="Size">
        <Size bytes={size} />
      </DataItem>
      <TakenBy project={project} snapshot={snapshot} />
      <DescriptionItem description={description} />
      <TimeItems of={snapshot} changed="Last Modified" />
      <DataItem label="ID">
        <CopyableId id={id} max={24} />
      </DataItem>
      <TagsItem kind="snapshot" id={id} />
    </DataPlate>
  )
}

/** The instance snapshot that it is part of, and the schedule that took it; nothing on servers that do not tell. */
function TakenBy({ project, snapshot }: { project: string; snapshot: Snapshot }) {
  const details = useDetails('snapshot', [snapshot])
  if (details === 'unknown' || typeof details !== 'object') return null
  const { instanceSnapshot, schedule } = details.get(snapshot.id) ?? {}
  return (
    <>
      {instanceSnapshot && (
        <DataItem label="Part of">
          <PageLink {...instanceSnapshotLink(project, instanceSnapshot.name)} className="link">
            {instanceSnapshot.name}
          </PageLink>
        </DataItem>
      )}
      {schedule && (
        <DataItem label="Schedule">
          <PageLink {...scheduleLink(project, schedule.name)} className="link">
            {schedule.name}
          </PageLink>
        </DataItem>
      )}
    </>
  )
}

function Uses({ project, id }: { project: string; id: string }) {
  // Only a server with filters knows which images were made of a snapshot.
  const tellsImages = useHasExtensions()
  const imageColumns: Column<Image>[] = [
    nameColumn(({ name }) => projectImageLink(project, name)),
    sizeColumn(),
    createdColumn(),
  ]
  return (
    <div className="space-y-5">
      <UsesCard
        title="Disks"
        list={disksFrom('snapshot', id, project)}
        columns={diskColumns(({ name }) => diskLink(project, name))}
        empty={{ title: 'No disks', text: 'A disk that is created from this snapshot appears here.' }}
      />
      {tellsImages && (
        <UsesCard
          title="Images"
          list={imagesFrom(project, id)}
          columns={imageColumns}
          empty={{
            title: 'No images',
            text: 'An image of this project that is created from this snapshot appears here.',
          }}
        />
      )}
    </div>
  )
}
