import type { OutputOf } from '@gantry/api/client/client'
import { consistencyWords } from '@gantry/api/storage/instance-snapshot.rules'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { WithActivity, withActivitySearch } from '#/features/activity/WithActivity.tsx'
import { diskLink } from '#/features/disks/links.ts'
import { diskById } from '#/features/disks/queries.ts'
import { Star } from '#/features/favourites/parts.tsx'
import { DetailValue, useDetails } from '#/features/found-list/details.tsx'
import { instanceLink } from '#/features/instances/links.ts'
import { instanceSnapshotLink, instanceSnapshotsLink } from '#/features/instances/snapshots/links.ts'
import { InstanceSnapshotState } from '#/features/instances/snapshots/InstanceSnapshotState.tsx'
import { InstanceSnapshotDocs, useInstanceSnapshotActions } from '#/features/instances/snapshots/parts.tsx'
import {
  type InstanceSnapshot,
  instanceSnapshotView,
  membersOf,
} from '#/features/instances/snapshots/queries.ts'
import { scheduleLink } from '#/features/schedules/links.ts'
import { snapshotLink } from '#/features/snapshots/links.ts'
import { TagsItem } from '#/features/tags/TagsItem.tsx'
import { usePolling } from '#/data/live.ts'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { type Deferred, deferredOf, DeferredValue } from '#/kit/page/deferred.tsx'
import { ObjectById } from '#/kit/page/ObjectById.tsx'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { pollWhile } from '#/kit/page/poll-while.ts'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { Card } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import { formatBytes, formatNumber } from '#/ui/data/format.ts'
import { formatCount, formatSeries } from '#/ui/data/format-amounts.ts'
import { Table } from '#/ui/data/Table.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

const ObjectTask = lazyPart(() => import('#/features/tasks/ObjectTask.tsx'), 'ObjectTask')

export const Route = createFileRoute('/_console/projects/$project/instance-snapshots/$instanceSnapshot')({
  validateSearch: withActivitySearch,
  loader: ({ context, params: { project, instanceSnapshot } }) =>
    context.prefetch(instanceSnapshotView(project, instanceSnapshot)),
  staticData: {
    crumb: [
      { label: 'Instance snapshots', to: '/projects/$project/instance-snapshots' },
      { param: 'instanceSnapshot', to: '/projects/$project/instance-snapshots/$instanceSnapshot' },
    ],
  },
  component: InstanceSnapshotPage,
})

const isBusy = ({ state }: InstanceSnapshot): boolean => state === 'creating'
const poll = pollWhile(isBusy)

function InstanceSnapshotPage() {
  const { project, instanceSnapshot: name } = Route.useParams()
  const polls = usePolling(1) !== false
  const { data: snapshot, ...follows } = useViewed(
    {
      ...instanceSnapshotView(project, name),
      refetchInterval: ({ state }) => polls && poll(state.data ? [state.data] : []),
    },
    instanceSnapshotsLink(project),
  )
  const { actions, dialog } = useInstanceSnapshotActions(project, follows)
  const link = instanceSnapshotLink(project, name)
  return (
    <ResourcePage
      title={snapshot.name}
      docs={<InstanceSnapshotDocs />}
      kind="Instance snapshot"
      state={<Star kind="instance-snapshot" id={snapshot.id} name={snapshot.name} />}
      menu={() => actionMenu(actions(snapshot))}
      plate={<Plate project={project} snapshot={snapshot} />}
    >
      <div className="mt-4">
        <WithActivity
          label="Instance snapshot"
          contents="Contents"
          link={link}
          activityLink={{ ...link, search: { tab: 'activity' } }}
          scope={{ of: 'project', project, object: snapshot.id }}
          asked={Route.useSearch()}
        >
          <div className="space-y-5">
            <Members project={project} snapshot={snapshot} />
            <Settings of={snapshot.settings} />
          </div>
        </WithActivity>
      </div>
      {isBusy(snapshot) && <ObjectTask project={project} id={snapshot.id} />}
      {dialog}
    </ResourcePage>
  )
}

function Plate({ project, snapshot }: { project: string; snapshot: InstanceSnapshot }) {
  const { id, description, instanceName, size, consistency } = snapshot
  const details = useDetails('instance-snapshot', [snapshot])
  return (
    <DataPlate summary={<InstanceSnapshotState {...snapshot} />}>
      <DataItem label="State">
        <InstanceSnapshotState {...snapshot} />
      </DataItem>
      <DataItem label="Instance">
        <DetailValue
          of={details}
          id={id}
          render={({ instance }) =>
            instance ? (
              <PageLink {...instanceLink(project, instance.name)} className="link">
                {instance.name}
              </PageLink>
            ) : (
              <>
                {instanceName} <Tag>Deleted</Tag>
              </>
            )
          }
        />
      </DataItem>
      <DataItem label="Disks hold">{consistency ? consistencyWords[consistency] : <EmptyCell />}</DataItem>
      <DataItem label="Size">
        <Size bytes={size} />
      </DataItem>
      <DataItem label="Schedule">
        <DetailValue
          of={details}
          id={id}
          render={({ schedule }) =>
            schedule ? (
              <PageLink {...scheduleLink(project, schedule.name)} className="link">
                {schedule.name}
              </PageLink>
            ) : (
              <EmptyCell />
            )
          }
        />
      </DataItem>
      <DescriptionItem description={description} />
      <TimeItems of={snapshot} changed="Last Modified" />
      <DataItem label="ID">
        <CopyableId id={id} max={24} />
      </DataItem>
      <TagsItem kind="instance-snapshot" id={id} />
    </DataPlate>
  )
}

type Member = InstanceSnapshot['disks'][number]

type Row = Member & { project: string; members: Deferred<OutputOf<'snapshotSortedList'>> }

/** The disks at that time, each with its snapshot. */
function Members({ project, snapshot: { id, disks } }: { project: string; snapshot: InstanceSnapshot }) {
  const members = deferredOf(useQuery(membersOf(project, id)))
  return (
    <Card title="Disks" description="Each is an ordinary snapshot, which is deleted with this one." flush>
      <Table<Row>
        inset
        label="Disks"
        columns={memberColumns}
        rows={disks.map((disk) => ({ ...disk, project, members }))}
        rowKey={({ diskId }) => diskId}
        empty={null}
      />
    </Card>
  )
}

const memberColumns: Column<Row>[] = [
  {
    id: 'name',
    header: 'Snapshot',
    part: 'name',
    cell: ({ project, members, snapshotId }) => (
      <DeferredValue
        of={members}
        render={({ items }) => {
          const name = items.find((each) => each.id === snapshotId)?.name
          return name === undefined ? (
            <Tag>Deleted</Tag>
          ) : (
            <PageLink {...snapshotLink(project, name)} className="name">
              {name}
            </PageLink>
          )
        }}
      />
    ),
  },
  { id: 'then', header: 'Disk then', part: 'meta', cell: ({ name }) => name },
  {
    id: 'disk',
    header: 'Disk now',
    part: 'meta',
    cell: ({ project, diskId }) => (
      <ObjectById query={diskById(diskId)} linkOf={(disk) => diskLink(project, disk.name)} />
    ),
  },
  {
    id: 'role',
    header: 'Role',
    part: 'meta',
    cell: ({ isBoot, readOnly }) => {
      const words = [...(isBoot ? ['Boot disk'] : []), ...(readOnly ? ['Read-only'] : [])]
      return words.length > 0 ? words.join(', ') : <EmptyCell />
    },
  },
  { id: 'size', header: 'Size', align: 'right', cell: ({ size }) => <Size bytes={size} /> },
]

/** What an instance that is created of it gets. */
function Settings({ of }: { of: OutputOf<'instanceSnapshotView'>['settings'] }) {
  const {
    ncpus,
    memory,
    hostname,
    networkInterfaces,
    ephemeralIpPools,
    sshKeys,
    hasUserData,
    enableJumboFrames,
  } = of
  const groups = [...of.antiAffinityGroups, ...of.affinityGroups].map(({ name }) => name)
  const interfaces = networkInterfaces.map(
    ({ name, vpc, subnet }) => `${name} in ${vpc.name}, ${subnet.name}`,
  )
  return (
    <Card title="Settings at that time" description="An instance that is created from it gets these.">
      <DataPlate>
        <DataItem label="vCPUs">{formatNumber(ncpus)}</DataItem>
        <DataItem label="Memory">{formatBytes(memory)}</DataItem>
        <DataItem label="Hostname">{hostname}</DataItem>
        <DataItem label="Network interfaces">
          {interfaces.length > 0 ? formatSeries(interfaces) : <EmptyCell />}
        </DataItem>
        <DataItem label="Ephemeral IPs from">
          {ephemeralIpPools.length > 0 ? (
            formatSeries(ephemeralIpPools.map(({ name }) => name))
          ) : (
            <EmptyCell />
          )}
        </DataItem>
        <DataItem label="Frames">{enableJumboFrames ? 'Jumbo' : 'Usual size'}</DataItem>
        <DataItem label="Groups">{groups.length > 0 ? formatSeries(groups) : <EmptyCell />}</DataItem>
        <DataItem label="SSH keys">{formatCount(sshKeys, 'key')}</DataItem>
        <DataItem label="User data">{hasUserData ? 'Kept' : 'None'}</DataItem>
      </DataPlate>
    </Card>
  )
}
