import * as op from '@gantry/api/client/operations.gen'
import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import type { Failure } from '#/data/failure.ts'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { createdColumn, plainNameColumn } from '#/kit/list/columns.tsx'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { deferredOf, DeferredValue } from '#/kit/page/deferred.tsx'
import { ResourceTab } from '#/kit/list/ResourceList.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import type { ListPage } from '#/kit/list/use-list-page.ts'
import { announcementsOf, type AnnounceSet, announceSets } from '#/features/rack-network/bgp/queries.ts'
import type { Column } from '#/ui/data/column.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/system/networking/_rack/_announce-sets')({
  loader: ({ context }) => context.prefetch(announceSets),
  staticData: { crumb: { label: 'Announce sets', to: '/system/networking/announce-sets' } },
  component: AnnounceSets,
})

function AnnounceSets() {
  return (
    <ResourceTab
      kind="announce set"
      label="Announce sets"
      about="The networks that the rack announces to its BGP peers."
      list={useWholeList(announceSets)}
      columns={setColumns}
      actions={useSetActions()}
      create={{
        link: { to: '/system/networking/announce-sets-new' },
        whyNot: useWhyNotOnFleet(),
      }}
      empty={{ title: 'No announce sets', text: 'Create an announce set to see it here' }}
    />
  )
}

const setColumns: Column<AnnounceSet>[] = [
  plainNameColumn<AnnounceSet>(),
  { id: 'networks', header: 'Networks', part: 'line', cell: ({ name }) => <Networks set={name} /> },
  {
    id: 'description',
    header: 'Description',
    part: 'line',
    cell: ({ description }) => description || <EmptyCell />,
  },
  createdColumn<AnnounceSet>(),
]

function Networks({ set }: { set: string }) {
  return (
    <DeferredValue
      of={deferredOf(useQuery(announcementsOf(set)))}
      render={(announcements) =>
        announcements.length === 0 ? (
          <EmptyCell />
        ) : (
          <ul className="font-mono text-[0.8125rem]">
            {announcements.map(({ network, addressLotBlockId }) => (
              <li key={`${network} ${addressLotBlockId}`}>{network}</li>
            ))}
          </ul>
        )
      }
    />
  )
}

function useSetActions(): ActionsOf<AnnounceSet> {
  const whyNot = useWhyNotOnFleet()
  const remove = useOp(op.networkingBgpAnnounceSetDelete)
  return ({ name }) => [
    {
      label: 'Replace networks',
      disabled: whyNot,
      over: true,
      link: { to: '/system/networking/announce-sets/$set/edit', params: { set: name } },
    },
    {
      label: 'Delete',
      disabled: whyNot,
      onSelect: () =>
        confirmDelete({
          kind: 'announce set',
          name,
          gone: 'Its networks are no longer announced. A set in use by a BGP configuration cannot be deleted.',
          run: () => remove.run({ path: { announceSet: name } }),
        }),
    },
  ]
}

/** An unpaged list of the API, in the shape of one page. */
function useWholeList<Item, Key extends readonly unknown[]>(
  query: UseQueryOptions<Item[], Failure, Item[], Key>,
): ListPage<Item> {
  const { data, error, isFetching, dataUpdatedAt, refetch } = useQuery(query)
  return {
    id: 'system-networking-bgp-announce-set',
    rows: data,
    position: { number: 1, previous: undefined },
    limit: undefined,
    failure: error,
    isTurning: false,
    isRefreshing: isFetching,
    updatedAt: dataUpdatedAt ? new Date(dataUpdatedAt) : undefined,
    refresh: () => void refetch(),
    onPrevious: undefined,
    onNext: undefined,
  }
}
