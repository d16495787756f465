import * as op from '@gantry/api/client/operations.gen'
import { diskAllows } from '@gantry/api/storage/disk.rules'
import { whyNot } from '@gantry/api/base/state.rules'
import { createFileRoute } from '@tanstack/react-router'
import Camera from 'lucide-react/icons/camera'
import { type ReactNode, useMemo } from 'react'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { createdColumn, plainNameColumn, sizeColumn } from '#/kit/list/columns.tsx'
import { confirmRecycling, goneBytes } from '#/kit/feedback/confirm.tsx'
import { useDeletion } from '#/kit/feedback/use-deletion.ts'
import { NameOf, type Names, useNames } from '#/kit/page/deferred.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { pollWhile } from '#/kit/page/poll-while.ts'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { DiskState, isTransitional } from '#/features/disks/DiskState.tsx'
import { type Disk, foundDisks } from '#/features/disks/queries.ts'
import { useTakeSnapshot } from '#/features/disks/use-take-snapshot.tsx'
import { useFound } from '#/features/found-list/use-found.tsx'
import { instanceLink } from '#/features/instances/links.ts'
import { allInstances } from '#/features/instances/queries.ts'
import { PastLink } from '#/features/past/PastLink.tsx'
import { protectedName } from '#/features/protection/protected-name.tsx'
import { useProtections } from '#/features/protection/use-protections.tsx'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import type { Column } from '#/ui/data/column.ts'
import { toast } from '#/ui/overlays/toast.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/projects/$project/_disks')({
  validateSearch: findSearch,
  loader: ({ params: { project }, ...visit }) =>
    loadList(visit, foundDisks(project, findSearch(visit.location.search)), allInstances(project)),
  staticData: { crumb: { label: 'Disks', to: '/projects/$project/disks' } },
  component: Disks,
})

const columnsIn = (project: string, instances: Names): Column<Disk>[] => [
  taggedName('disk', protectedName(plainNameColumn<Disk>(), project), project),
  {
    id: 'attached-to',
    header: 'Attached to',
    part: 'meta',
    cell: ({ state }) =>
      'instance' in state ? (
        <NameOf
          names={instances}
          id={state.instance}
          gone={<EmptyCell />}
          linkOf={(name) => instanceLink(project, name)}
        />
      ) : (
        <EmptyCell />
      ),
  },
  sizeColumn<Disk>(),
  { id: 'state', header: 'State', part: 'state', cell: (disk) => <DiskState disk={disk} /> },
  createdColumn<Disk>(),
]

const poll = pollWhile(isTransitional)

function Disks() {
  const { project } = Route.useParams()
  const instances = useNames(allInstances(project))
  const { actions, dialog } = useDiskRowActions(project)
  const query = foundDisks(project, Route.useSearch())
  const { columns, find } = useFound({
    kind: 'disk',
    pluralNoun: 'disks',
    place: { project },
    list: query,
    columns: useMemo(() => columnsIn(project, instances), [project, instances]),
  })
  return (
    <ResourceList
      kind="disk"
      title="Disks"
      tools={<PastLink project={project} kind="disk" />}
      docs={
        <DocsPopover topic="disks">
          A disk is persistent storage that an instance sees as a drive. It attaches to one instance at a
          time, outlives the instance, and can be copied by a snapshot while in use.
        </DocsPopover>
      }
      list={useListPage(query, { poll })}
      columns={columns}
      find={find}
      actions={actions}
      create={{
        link: { to: '/projects/$project/disks-new', params: { project } },
        whyNot: useWhyNotInProject(project),
      }}
      empty={{ title: 'No disks', text: 'Disks store the data of instances. Create one to see it here.' }}
    >
      {dialog}
    </ResourceList>
  )
}

/** The actions of a row. Render `dialog` on the page. */
function useDiskRowActions(project: string): { actions: ActionsOf<Disk>; dialog: ReactNode } {
  const whyNotAllowed = useWhyNotInProject(project)
  const takeSnapshot = useTakeSnapshot(project)
  const remove = useDeletion(op.diskDelete, 'disk')
  const protections = useProtections('disk', project)
  const actions: ActionsOf<Disk> = (disk) => [
    {
      label: 'Snapshot',
      icon: <Camera aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? whyNot(diskAllows, 'snapshot', disk.state.state),
      onSelect: () => {
        toast.info(`Creating snapshot of disk ${disk.name}`)
        void takeSnapshot(disk)
      },
    },
    ...tagActions('disk', disk, whyNotAllowed, project),
    ...protections.actionsFor(disk, whyNotAllowed),
    {
      label: 'Delete',
      disabled: whyNotAllowed ?? protections.whyNot(disk.id, 'delete') ?? whyNotDelete(disk.state.state),
      onSelect: () =>
        confirmRecycling({
          kind: 'disk',
          name: disk.name,
          gone: goneBytes(disk.size),
          besides: 'Snapshots and images created from it are kept.',
          run: (isForGood, send) =>
            remove(disk, { path: { disk: disk.name }, query: { project } }, isForGood, send),
        }),
    },
  ]
  return { actions, dialog: protections.dialog }
}

/** The reason beside `Delete`; undefined if the disk can be deleted. */
const whyNotDelete = (state: Disk['state']['state']): string | undefined =>
  state === 'attached'
    ? 'The disk must be detached before it can be deleted'
    : whyNot(diskAllows, 'delete', state)
