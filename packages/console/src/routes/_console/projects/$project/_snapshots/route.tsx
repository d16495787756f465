import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { createdColumn, descriptionColumn, plainNameColumn, sizeColumn } from '#/features/common/columns.tsx'
import { DocsPopover } from '#/features/common/DocsPopover.tsx'
import { loadList } from '#/features/common/load-list.ts'
import { NameOf, type Names, useNames } from '#/features/common/names.tsx'
import { pollWhile } from '#/features/common/poll-while.ts'
import { useWhyNotInProject } from '#/features/common/project-permission.ts'
import { ResourceList } from '#/features/common/ResourceList.tsx'
import { pageSearch, useListPage } from '#/features/common/use-list-page.ts'
import { allDisks } from '#/features/disks/queries.ts'
import { type Snapshot, snapshotsIn } from '#/features/snapshots/queries.ts'
import { SnapshotState } from '#/features/snapshots/SnapshotState.tsx'
import { useSnapshotRowActions } from '#/features/snapshots/use-snapshot-row-actions.tsx'
import type { Column } from '#/ui/column.ts'
import { Tag } from '#/ui/Tag.tsx'

export const Route = createFileRoute('/_console/projects/$project/_snapshots')({
  validateSearch: pageSearch,
  loader: ({ params: { project }, ...visit }) => loadList(visit, snapshotsIn(project), allDisks(project)),
  staticData: { crumb: { label: 'Snapshots', to: '/projects/$project/snapshots' } },
  component: Snapshots,
})

const columnsWith = (disks: Names): Column<Snapshot>[] => [
  plainNameColumn<Snapshot>(),
  descriptionColumn<Snapshot>(),
  {
    id: 'disk',
    header: 'Disk',
    part: 'meta',
    cell: ({ diskId }) => <NameOf names={disks} id={diskId} gone={<Tag>Deleted</Tag>} />,
  },
  { id: 'state', header: 'State', part: 'state', cell: ({ state }) => <SnapshotState state={state} /> },
  sizeColumn<Snapshot>(),
  createdColumn<Snapshot>(),
]

const poll = pollWhile<Snapshot>(({ state }) => state === 'creating')

function Snapshots() {
  const { project } = Route.useParams()
  const disks = useNames(allDisks(project))
  return (
    <ResourceList
      kind="snapshot"
      title="Snapshots"
      docs={
        <DocsPopover topic="snapshots">
          A snapshot is a point-in-time copy of a disk. You can create disks and images from it, even after
          the disk is deleted.
        </DocsPopover>
      }
      list={useListPage(snapshotsIn(project), { poll })}
      columns={useMemo(() => columnsWith(disks), [disks])}
      actions={useSnapshotRowActions(project)}
      create={{
        link: { to: '/projects/$project/snapshots-new', params: { project } },
        whyNot: useWhyNotInProject(project),
      }}
      empty={{
        title: 'No snapshots',
        text: 'A snapshot is a point-in-time copy of a disk. Create one to see it here.',
      }}
    />
  )
}
