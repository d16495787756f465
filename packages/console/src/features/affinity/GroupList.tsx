import type { AffinityFamily } from '@gantry/api/compute/affinity.rules'
import { capitalise } from '@gantry/api/base/errors.rules'
import { queryOptions, useQuery } from '@tanstack/react-query'
import Boxes from 'lucide-react/icons/boxes'
import { useMemo } from 'react'
import { call } from '#/data/client.ts'
import { isAbsent } from '#/data/extensions.ts'
import type { Failure } from '#/data/failure.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { metaOf } from '#/data/queries.ts'
import { createdColumn, nameColumn } from '#/kit/list/columns.tsx'
import { readEach, type Counts } from '#/kit/page/read-each.ts'
import { type Deferred, deferredOf, DeferredValue } from '#/kit/page/deferred.tsx'
import { ResourceTab } from '#/kit/list/ResourceList.tsx'
import { useListPage } from '#/kit/list/use-list-page.ts'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import type { Column } from '#/ui/data/column.ts'
import { formatNumber, plural } from '#/ui/data/format.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { affinityGroupLink, newGroupLink } from './links.ts'
import { useGroupRowActions } from './parts.tsx'
import { familyReads, type Group, groupPath, groupsIn } from './queries.ts'
import { kindOf, PolicyTag, PolicyTerm, taggedKindOf, TypeTag } from './words.tsx'

const columnsIn = (family: AffinityFamily, project: string, sizes: Deferred<Counts>): Column<Group>[] => [
  taggedName(
    taggedKindOf[family],
    nameColumn<Group>(({ name }) => affinityGroupLink(family, project, name)),
    project,
  ),
  { id: 'type', header: 'Type', part: 'meta', width: '18%', cell: () => <TypeTag family={family} /> },
  {
    id: 'instances',
    header: 'Instances',
    align: 'right',
    width: '12%',
    cell: ({ id }) => <DeferredValue of={sizes} render={(counts) => instancesOf(counts.get(id) ?? 0)} />,
  },
  {
    id: 'policy',
    header: <PolicyTerm family={family} />,
    part: 'meta',
    width: '14%',
    cell: ({ policy }) => <PolicyTag policy={policy} />,
  },
  createdColumn<Group>(),
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

const abouts: Readonly<Record<AffinityFamily, string>> = {
  'anti-affinity': 'A group keeps its instances on different sleds.',
  affinity: 'A group keeps its instances on the same sled.',
}

/** The groups of one family in a project. */
export function GroupList({ family, project }: { family: AffinityFamily; project: string }) {
  const list = useListPage(groupsIn(family, project))
  const sizes = deferredOf(useQuery(groupSizes(family, project, list.rows ?? [])))
  const kind = kindOf(family)
  const about = abouts[family]
  return (
    <ResourceTab
      kind={kind}
      icon={Boxes}
      label={capitalise(`${kind}s`)}
      about={about}
      list={list}
      columns={useMemo(() => columnsIn(family, project, sizes), [family, project, sizes])}
      actions={useGroupRowActions(family, project)}
      rowEntry={({ name }) => ({ label: name, link: affinityGroupLink(family, project, name) })}
      create={{
        link: newGroupLink(family, project),
        label: 'New group',
        whyNot: useWhyNotInProject(project),
      }}
      empty={{ title: `No ${kind}s`, text: `${about} Create one to see it here.` }}
    />
  )
}

/**
 * Member counts of the groups on a page: one request, or several with limited concurrency where the server lacks that
 * operation.
 */
const groupSizes = (family: AffinityFamily, project: string, shown: readonly Pick<Group, 'id'>[]) => {
  const { sizes } = familyReads[family]
  const ids = shown.map(({ id }) => id)
  return queryOptions<Counts, Failure>({
    queryKey: [sizes.name, { query: { project }, ids }],
    meta: metaOf(sizes),
    queryFn: async ({ signal }) => {
      try {
        const { data } = await call(sizes, { query: { project } }, { signal })
        return new Map(data.items.map(({ groupId, members }) => [groupId, members]))
      } catch (error) {
        if (!isAbsent(sizes)) throw error
        return readEach(ids, signal, (id) => countMembers(family, id, signal))
      }
    },
    enabled: ids.length > 0,
  })
}

async function countMembers(family: AffinityFamily, group: string, signal: AbortSignal): Promise<number> {
  const input = { path: groupPath(family, group), query: { limit: 1000 } }
  const { data } = await call(familyReads[family].members, input, { signal })
  return data.items.length
}
