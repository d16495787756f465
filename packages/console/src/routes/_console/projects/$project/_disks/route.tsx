import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { createdColumn, plainNameColumn, sizeColumn } from '../../../../../features/common/columns.tsx'
import { usePaletteItems } from '../../../../../features/common/palette-items.ts'
import { PathLink } from '../../../../../features/common/PathLink.tsx'
import { pollWhile } from '../../../../../features/common/poll-while.ts'
import { useWhyNotInProject } from '../../../../../features/common/project-permission.ts'
import { ResourceList } from '../../../../../features/common/ResourceList.tsx'
import { pageSearch, useListPage } from '../../../../../features/common/use-list-page.ts'
import { DiskDocs } from '../../../../../features/disks/DiskDocs.tsx'
import { DiskState, isPassing } from '../../../../../features/disks/DiskState.tsx'
import { type Disk, diskPaths, disksIn } from '../../../../../features/disks/queries.ts'
import { allInstances, instancePaths } from '../../../../../features/instances/queries.ts'
import { Skeleton } from '../../../../../ui/Skeleton.tsx'
import type { Column } from '../../../../../ui/Table.tsx'
import { EmptyCell } from '../../../../../ui/Truncate.tsx'
import { useDiskRowActions } from '../../../../../features/disks/use-disk-row-actions.tsx'

export const Route = createFileRoute('/_console/projects/$project/_disks')({
  validateSearch: pageSearch,
  loader: ({ context, params: { project }, location }) => {
    // Begun here, so that names are there with the rows or soon after.
    void context.queryClient.prefetchQuery(allInstances(project))
    return context.prefetch(disksIn(project).at(pageSearch(location.search).page))
  },
  staticData: { crumb: ({ project = '' }) => ({ label: 'Disks', path: diskPaths.list(project) }) },
  component: Disks,
})

/** Names by id; undefined while they are on their way. */
type Names = ReadonlyMap<string, string> | undefined

const columnsIn = (project: string, instances: Names): Column<Disk>[] => [
  plainNameColumn<Disk>(),
  {
    id: 'attached-to',
    header: 'Attached to',
    part: 'meta',
    cell: ({ state }) =>
      'instance' in state ? (
        <AttachedTo project={project} instances={instances} id={state.instance} />
      ) : (
        <EmptyCell />
      ),
  },
  sizeColumn<Disk>(),
  { id: 'state', header: 'State', part: 'state', cell: (disk) => <DiskState disk={disk} /> },
  createdColumn<Disk>(),
]

function AttachedTo({ project, instances, id }: { project: string; instances: Names; id: string }) {
  if (!instances) return <Skeleton />
  const name = instances.get(id)
  if (name === undefined) return <EmptyCell />
  return (
    <PathLink to={instancePaths.storage(project, name)} className="link">
      {name}
    </PathLink>
  )
}

const poll = pollWhile(isPassing)

function Disks() {
  const { project } = Route.useParams()
  const list = useListPage(disksIn(project), { poll })
  const actions = useDiskRowActions(project)
  const { data: instances } = useQuery(allInstances(project))
  const columns = useMemo(
    () => columnsIn(project, instances && new Map(instances.map(({ id, name }) => [id, name]))),
    [project, instances],
  )
  const whyNotAllowed = useWhyNotInProject(project)
  const createTo = diskPaths.create(project)

  usePaletteItems(whyNotAllowed ? [] : [{ label: 'New disk', to: createTo }])

  return (
    <ResourceList
      title="Disks"
      docs={<DiskDocs />}
      create={{ to: createTo, label: 'New Disk', emptyLabel: 'New disk', whyNot: whyNotAllowed }}
      empty={{ title: 'No disks', text: 'Disks store the data of instances. Create one to see it here.' }}
      list={list}
      columns={columns}
      actions={actions}
    />
  )
}
