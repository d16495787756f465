import * as op from '@gantry/api/client/operations.gen'
import { snapshotAllows } from '@gantry/api/storage/snapshot.rules'
import { whyNot } from '@gantry/api/base/state.rules'
import { createFileRoute } from '@tanstack/react-router'
import Disc3 from 'lucide-react/icons/disc-3'
import { useMemo } from 'react'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { createdColumn, descriptionColumn, plainNameColumn, sizeColumn } from '#/kit/list/columns.tsx'
import { confirmRecycling, goneBytes } from '#/kit/feedback/confirm.tsx'
import { useDeletion } from '#/kit/feedback/use-deletion.ts'
import { NameOf, type Names, useNames } from '#/kit/page/deferred.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { pollWhile } from '#/kit/page/poll-while.ts'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import { StateWithReason } from '#/kit/list/StateWithReason.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { allDisks } from '#/features/disks/queries.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { foundSnapshots, type Snapshot } from '#/features/snapshots/queries.ts'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import type { Column } from '#/ui/data/column.ts'
import { sentenceCase } from '#/ui/data/format.ts'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import { Tag } from '#/ui/data/Tag.tsx'

export const Route = createFileRoute('/_console/projects/$project/_snapshots')({
  validateSearch: findSearch,
  loader: ({ params: { project }, ...visit }) =>
    loadList(visit, foundSnapshots(project, findSearch(visit.location.search)), allDisks(project)),
  staticData: { crumb: { label: 'Snapshots', to: '/projects/$project/snapshots' } },
  component: Snapshots,
})

const columnsWith = (project: string, disks: Names): Column<Snapshot>[] => [
  taggedName('snapshot', plainNameColumn<Snapshot>(), project),
  descriptionColumn<Snapshot>(),
  {
    id: 'disk',
    header: 'Disk',
    part: 'meta',
    cell: ({ diskId }) => <NameOf names={disks} id={diskId} gone={<Tag>Deleted</Tag>} />,
  },
  { id: 'state', header: 'State', part: 'state', cell: (snapshot) => <SnapshotState snapshot={snapshot} /> },
  sizeColumn<Snapshot>(),
  createdColumn<Snapshot>(),
]

const poll = pollWhile<Snapshot>(({ state }) => state === 'creating')

function Snapshots() {
  const { project } = Route.useParams()
  const disks = useNames(allDisks(project))
  const query = foundSnapshots(project, Route.useSearch())
  const { columns, find } = useFound({
    kind: 'snapshot',
    pluralNoun: 'snapshots',
    place: { project },
    list: query,
    columns: useMemo(() => columnsWith(project, disks), [project, disks]),
  })
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
      list={useListPage(query, { poll })}
      columns={columns}
      find={find}
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

const families: Record<Snapshot['state'], StateFamily> = {
  creating: 'busy',
  ready: 'ok',
  destroyed: 'gone',
  faulted: 'fail',
}

/** The state, with the cause of a fault where the server gives one. */
function SnapshotState({ snapshot: { state, failure } }: { snapshot: Snapshot }) {
  const plate = <StatePlate family={families[state]}>{sentenceCase(state)}</StatePlate>
  if (state !== 'faulted' || !failure) return plate
  return <StateWithReason failure={failure}>{plate}</StateWithReason>
}

function useSnapshotRowActions(project: string): ActionsOf<Snapshot> {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useDeletion(op.snapshotDelete, 'snapshot')
  return ({ id, name, state, size }) => [
    {
      label: 'Create image',
      icon: <Disc3 aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? whyNot(snapshotAllows, 'createImage', state),
      link: { to: '/projects/$project/snapshots/$snapshot/images-new', params: { project, snapshot: name } },
      over: true,
    },
    ...tagActions('snapshot', { id, name }, whyNotAllowed, project),
    {
      label: 'Delete',
      disabled: whyNotAllowed ?? whyNot(snapshotAllows, 'delete', state),
      onSelect: () =>
        confirmRecycling({
          kind: 'snapshot',
          name,
          gone: goneBytes(size),
          besides: 'Disks and images created from it are kept.',
          run: (isForGood, send) =>
            remove({ id }, { path: { snapshot: name }, query: { project } }, isForGood, send),
        }),
    },
  ]
}
