import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  createdColumn,
  descriptionColumn,
  plainNameColumn,
  sizeColumn,
} from '../../../../../features/common/columns.tsx'
import { usePaletteItems } from '../../../../../features/common/palette-items.ts'
import { pollWhile } from '../../../../../features/common/poll-while.ts'
import { useWhyNotInProject } from '../../../../../features/common/project-permission.ts'
import { ResourceList } from '../../../../../features/common/ResourceList.tsx'
import { pageSearch, useListPage } from '../../../../../features/common/use-list-page.ts'
import { allDisks } from '../../../../../features/disks/queries.ts'
import { type Snapshot, snapshotPaths, snapshotsIn } from '../../../../../features/snapshots/queries.ts'
import { SnapshotDocs } from '../../../../../features/snapshots/SnapshotDocs.tsx'
import { SnapshotState } from '../../../../../features/snapshots/SnapshotState.tsx'
import { Skeleton } from '../../../../../ui/Skeleton.tsx'
import type { Column } from '../../../../../ui/Table.tsx'
import { Tag } from '../../../../../ui/Tag.tsx'
import { useSnapshotRowActions } from '../../../../../features/snapshots/use-snapshot-row-actions.tsx'

export const Route = createFileRoute('/_console/projects/$project/_snapshots')({
  validateSearch: pageSearch,
  loader: ({ context, params: { project }, location }) => {
    // Begun here, so that names are there with the rows or soon after.
    void context.queryClient.prefetchQuery(allDisks(project))
    return context.prefetch(snapshotsIn(project).at(pageSearch(location.search).page))
  },
  staticData: { crumb: ({ project = '' }) => ({ label: 'Snapshots', path: snapshotPaths.list(project) }) },
  component: Snapshots,
})

/** `disks` are names by id; undefined while they are on their way. */
const columnsWith = (disks: ReadonlyMap<string, string> | undefined): Column<Snapshot>[] => [
  plainNameColumn<Snapshot>(),
  descriptionColumn<Snapshot>(),
  {
    id: 'disk',
    header: 'Disk',
    part: 'meta',
    cell: ({ diskId }) => (disks ? (disks.get(diskId) ?? <Tag>Deleted</Tag>) : <Skeleton />),
  },
  { id: 'state', header: 'State', part: 'state', cell: ({ state }) => <SnapshotState state={state} /> },
  sizeColumn<Snapshot>(),
  createdColumn<Snapshot>(),
]

const poll = pollWhile<Snapshot>(({ state }) => state === 'creating')

function Snapshots() {
  const { project } = Route.useParams()
  const list = useListPage(snapshotsIn(project), { poll })
  const actions = useSnapshotRowActions(project)
  const { data: disks } = useQuery(allDisks(project))
  const columns = useMemo(
    () => columnsWith(disks && new Map(disks.map(({ id, name }) => [id, name]))),
    [disks],
  )
  const whyNotAllowed = useWhyNotInProject(project)
  const createTo = snapshotPaths.create(project)

  usePaletteItems(whyNotAllowed ? [] : [{ label: 'New snapshot', to: createTo }])

  return (
    <ResourceList
      title="Snapshots"
      docs={<SnapshotDocs />}
      create={{ to: createTo, label: 'New snapshot', whyNot: whyNotAllowed }}
      empty={{
        title: 'No snapshots',
        text: 'A snapshot is a point-in-time copy of a disk. Create one to see it here.',
      }}
      list={list}
      columns={columns}
      actions={actions}
    />
  )
}
