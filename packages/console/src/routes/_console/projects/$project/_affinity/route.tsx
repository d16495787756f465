import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import Boxes from 'lucide-react/icons/boxes'
import { useMemo } from 'react'
import { AffinityDocs } from '#/features/affinity/AffinityDocs.tsx'
import { groupSizes } from '#/features/affinity/group-sizes.ts'
import { affinityGroupLink } from '#/features/affinity/links.ts'
import { PolicyTag, PolicyTerm, TypeTag } from '#/features/affinity/policy.tsx'
import { type AntiAffinityGroup, groupsIn } from '#/features/affinity/queries.ts'
import { useGroupRowActions } from '#/features/affinity/use-group-row-actions.tsx'
import { createdColumn, nameColumn } from '#/features/common/columns.tsx'
import type { Counts } from '#/features/common/count-each.ts'
import { DeferredValue, type Deferred, deferredOf } from '#/features/common/DeferredValue.tsx'
import { loadList } from '#/features/common/load-list.ts'
import { useWhyNotInProject } from '#/features/common/project-permission.ts'
import { ResourceList } from '#/features/common/ResourceList.tsx'
import { pageSearch, useListPage } from '#/features/common/use-list-page.ts'
import { formatNumber, plural } from '#/ui/format.ts'
import type { Column } from '#/ui/column.ts'
import { EmptyCell } from '#/ui/Truncate.tsx'

export const Route = createFileRoute('/_console/projects/$project/_affinity')({
  validateSearch: pageSearch,
  loader: ({ params: { project }, ...visit }) => loadList(visit, groupsIn(project)),
  staticData: { crumb: { label: 'Affinity Groups', to: '/projects/$project/affinity' } },
  component: AffinityGroups,
})

const columnsIn = (project: string, sizes: Deferred<Counts>): Column<AntiAffinityGroup>[] => [
  nameColumn<AntiAffinityGroup>(({ name }) => affinityGroupLink(project, name)),
  { id: 'type', header: 'Type', part: 'meta', width: '18%', cell: () => <TypeTag /> },
  {
    id: 'instances',
    header: 'Instances',
    align: 'right',
    width: '12%',
    cell: ({ id }) => <DeferredValue of={sizes} render={(counts) => instancesOf(counts.get(id) ?? 0)} />,
  },
  {
    id: 'policy',
    header: <PolicyTerm />,
    part: 'meta',
    width: '14%',
    cell: ({ policy }) => <PolicyTag policy={policy} />,
  },
  createdColumn<AntiAffinityGroup>(),
]

const instancesOf = (count: number) =>
  count === 0 ? (
    <EmptyCell />
  ) : (
    <>
      {formatNumber(count)}
      {/* On a card without column heads, a number needs its noun. */}
      <span className="md:hidden"> {plural('instance', count)}</span>
    </>
  )

function AffinityGroups() {
  const { project } = Route.useParams()
  const list = useListPage(groupsIn(project))
  const sizes = deferredOf(useQuery(groupSizes(project, list.rows ?? [])))
  return (
    <ResourceList
      kind="anti-affinity group"
      icon={Boxes}
      title="Affinity Groups"
      docs={<AffinityDocs />}
      list={list}
      columns={useMemo(() => columnsIn(project, sizes), [project, sizes])}
      actions={useGroupRowActions(project)}
      rowEntry={({ name }) => ({ label: name, link: affinityGroupLink(project, name) })}
      create={{
        link: { to: '/projects/$project/affinity-new', params: { project } },
        label: 'New group',
        whyNot: useWhyNotInProject(project),
      }}
      empty={{
        title: 'No anti-affinity groups',
        text: 'A group keeps its instances on different sleds. Create one to see it here.',
      }}
    />
  )
}
