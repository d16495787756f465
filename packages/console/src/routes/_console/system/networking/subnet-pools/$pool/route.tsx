import * as op from '@gantry/api/client/operations.gen'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import CircleMinus from 'lucide-react/icons/circle-minus'
import Globe from 'lucide-react/icons/globe'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { createdColumn } from '#/kit/list/columns.tsx'
import { CreateLink, KindTable } from '#/kit/list/ResourceList.tsx'
import { actionMenu, type ActionsOf } from '#/kit/list/row-menu.tsx'
import { texts, useListPage } from '#/kit/list/use-list-page.ts'
import { loadList } from '#/kit/page/loaders.ts'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { RouteTabs, TabHead } from '#/kit/page/RouteTabs.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { fleetScope } from '#/features/activity/fleet-scope.ts'
import { activityKeys } from '#/features/activity/search.ts'
import { ActivityTab } from '#/features/activity/tab.ts'
import { SilosTab } from '#/features/silo-links/SilosTab.tsx'
import { allSilos } from '#/features/silos/queries.ts'
import { subnetPoolLink, type SubnetPoolTab, subnetPoolTabOf } from '#/features/subnet-pools/links.ts'
import { SubnetPoolDocs, useSubnetPoolRowActions } from '#/features/subnet-pools/parts.tsx'
import { subnetPoolLinks } from '#/features/subnet-pools/pool-links.ts'
import {
  poolAt,
  poolMembers,
  poolSilos,
  type SubnetPool,
  type SubnetPoolMember,
  subnetPoolUtilization,
  subnetPoolView,
} from '#/features/subnet-pools/queries.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { CapacityCard } from '#/ui/data/CapacityCard.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'

const search = texts('tab', ...activityKeys)

export const Route = createFileRoute('/_console/system/networking/subnet-pools/$pool')({
  validateSearch: search,
  loader: async ({ params: { pool }, ...visit }) => {
    const { context, location } = visit
    const tab = subnetPoolTabOf(search(location.search).tab)
    // Rows show silo ids until the names arrive.
    if (tab === 'silos') context.begin(allSilos)
    const view = context.prefetch(subnetPoolView(pool), subnetPoolUtilization(pool))
    if (tab === 'members') await Promise.all([view, loadList(visit, poolMembers(pool))])
    if (tab === 'silos') await Promise.all([view, loadList(visit, poolSilos(pool))])
  },
  staticData: {
    crumb: [
      { label: 'Subnet Pools', to: '/system/networking/subnet-pools' },
      { param: 'pool', to: '/system/networking/subnet-pools/$pool' },
    ],
  },
  component: Page,
})

function Page() {
  const { pool } = Route.useParams()
  const asked = Route.useSearch()
  return (
    <>
      <PoolPage pool={pool} tab={subnetPoolTabOf(asked.tab)} search={asked} />
      <Outlet />
    </>
  )
}

const tabsOf = (pool: string) =>
  [
    { id: 'members', label: 'Members', link: subnetPoolLink(pool) },
    { id: 'silos', label: 'Linked silos', link: subnetPoolLink(pool, 'silos') },
    { id: 'activity', label: 'Activity', link: subnetPoolLink(pool, 'activity'), isExtension: true },
  ] as const

interface Props {
  pool: string
  tab: SubnetPoolTab
  search: ReturnType<typeof search>
}

/** One pool: how much of it is allocated, its members, linked silos, and what happened to it. */
function PoolPage({ pool: name, tab, search: asked }: Props) {
  const { data: pool, onDelete } = useViewed(subnetPoolView(name), { to: '/system/networking/subnet-pools' })
  const { data: use } = useSuspenseQuery(subnetPoolUtilization(name))
  const firstMembers = useQuery(poolMembers(name).at())
  const actions = useSubnetPoolRowActions(onDelete)
  return (
    <ResourcePage
      title={pool.name}
      docs={<SubnetPoolDocs />}
      kind="Subnet pool"
      menu={() =>
        actionMenu(actions({ id: pool.id, name: pool.name, members: firstMembers.data?.items.length }))
      }
      plate={<Plate pool={pool} />}
    >
      {use.capacity > 0 && (
        <div className="mt-4 grid grid-cols-1 gap-4 md:grid-cols-2">
          <CapacityCard
            icon={Globe}
            label={`IP${pool.ipVersion}`}
            units="IPs"
            part={use.capacity - use.remaining}
            partWord="allocated"
            whole={use.capacity}
            figures={[
              { label: 'Allocated', value: use.capacity - use.remaining },
              { label: 'Capacity', value: use.capacity },
            ]}
          />
        </div>
      )}
      <div className="mt-4">
        <RouteTabs label="Subnet pool" tabs={tabsOf(name)} current={tab}>
          {tab === 'members' && <Members pool={name} />}
          {tab === 'silos' && <Silos pool={pool} />}
          {tab === 'activity' && <ActivityTab scope={{ ...fleetScope, object: pool.id }} search={asked} />}
        </RouteTabs>
      </div>
    </ResourcePage>
  )
}

const Silos = ({ pool }: { pool: SubnetPool }) => (
  <SilosTab links={subnetPoolLinks(pool)} list={useListPage(poolSilos(pool.name))} />
)

function Members({ pool }: { pool: string }) {
  const whyNot = useWhyNotOnFleet()
  const remove = useOp(op.subnetPoolMemberRemove)
  const link = { to: '/system/networking/subnet-pools/$pool/members-add', params: { pool } } as const
  const create = { link, label: 'Add member', verb: 'Add', whyNot }
  const actions: ActionsOf<SubnetPoolMember> = ({ subnet }) => [
    {
      label: 'Remove',
      icon: <CircleMinus aria-hidden strokeWidth={1.75} />,
      disabled: whyNot,
      onSelect: () =>
        confirmAction({
          title: 'Confirm remove member',
          content: (
            <>
              <p>
                Remove <strong className="font-mono">{subnet}</strong>? Nothing more is allocated from it.
              </p>
              <p>This fails while external subnets are in it.</p>
            </>
          ),
          kind: 'danger',
          pendingLabel: 'Removing',
          errorTitle: 'Could not remove member',
          success: (
            <>
              Member <strong className="font-mono">{subnet}</strong> removed
            </>
          ),
          isPlanned: true,
          run: (_isForGood, send) => remove.run({ ...poolAt(pool), body: { subnet } }, send),
        }),
    },
  ]
  return (
    <>
      <TabHead actions={<CreateLink kind="member" create={create} />}>
        Networks from which projects of linked silos get external subnets.
      </TabHead>
      <KindTable
        kind="member"
        label="Members"
        list={useListPage(poolMembers(pool))}
        columns={memberColumns}
        actions={actions}
        create={create}
        empty={{ title: 'No members', text: 'Add a member to see it here' }}
      />
    </>
  )
}

const memberColumns: Column<SubnetPoolMember>[] = [
  {
    id: 'subnet',
    header: 'Network',
    cell: ({ subnet }) => <span className="font-mono text-[0.8125rem] wrap-anywhere">{subnet}</span>,
  },
  {
    id: 'lengths',
    header: 'Subnets allowed',
    part: 'meta',
    cell: ({ minPrefixLength, maxPrefixLength }) =>
      minPrefixLength === maxPrefixLength
        ? `/${minPrefixLength}`
        : `/${minPrefixLength} to /${maxPrefixLength}`,
  },
  createdColumn<SubnetPoolMember>(),
]

function Plate({ pool }: { pool: SubnetPool }) {
  return (
    <DataPlate summary={pool.description || 'No description'}>
      <DescriptionItem description={pool.description} />
      <DataItem label="IP version">IP{pool.ipVersion}</DataItem>
      <DataItem label="ID">
        <CopyableId id={pool.id} max={24} />
      </DataItem>
      <TimeItems of={pool} changed="Updated" />
    </DataPlate>
  )
}
