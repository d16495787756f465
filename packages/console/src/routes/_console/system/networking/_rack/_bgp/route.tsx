import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet, useNavigate } from '@tanstack/react-router'
import Pencil from 'lucide-react/icons/pencil'
import { useMemo } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { createdColumn, plainNameColumn } from '#/kit/list/columns.tsx'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { NameOf, type Names, useNames } from '#/kit/page/deferred.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { CreateLink, KindTable } from '#/kit/list/ResourceList.tsx'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { texts, useListPage } from '#/kit/list/use-list-page.ts'
import {
  announceSets,
  type BgpConfig,
  bgpConfigs,
  type Session,
  sessionKey,
  sessions,
} from '#/features/rack-network/bgp/queries.ts'
import { peerFamily, stateWord } from '#/features/rack-network/states.ts'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { formatDistance } from '#/ui/data/format.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { StatePlate } from '#/ui/data/StatePlate.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/system/networking/_rack/_bgp')({
  validateSearch: texts('page', 'session'),
  loader: (visit) =>
    Promise.all([visit.context.prefetch(sessions), loadList(visit, bgpConfigs, announceSets)]).then(
      () => undefined,
    ),
  staticData: { crumb: { label: 'BGP', to: '/system/networking/bgp' } },
  component: Bgp,
})

function Bgp() {
  const { session } = Route.useSearch()
  return (
    <>
      <BgpTab session={session} />
      <Outlet />
    </>
  )
}

const SessionPanel = lazyPart(() => import('#/features/rack-network/bgp/SessionPanel.tsx'), 'SessionPanel')

/** The sessions with peers, and the configurations of the rack's routers. */
function BgpTab({ session: key }: { session: string | undefined }) {
  const { data } = useSuspenseQuery(sessions)
  const navigate = useNavigate()
  const open = data.find((session) => sessionKey(session) === key)
  return (
    <>
      <h2 className="text-md">Sessions</h2>
      <TabHead>Port settings define the peers of a port. Sessions come up with its links.</TabHead>
      <Table
        label="BGP sessions"
        columns={sessionColumns}
        rows={data}
        rowKey={sessionKey}
        empty={<EmptyState title="No BGP sessions">Apply settings with BGP peers to a port</EmptyState>}
      />
      <Configurations />
      {open && (
        <SessionPanel
          session={open}
          onClose={() => void navigate({ to: '/system/networking/bgp', resetScroll: false })}
        />
      )}
    </>
  )
}

function Configurations() {
  const sets = useNames(announceSets)
  const whyNot = useWhyNotOnFleet()
  const remove = useOp(op.networkingBgpConfigDelete)
  const create = {
    link: { to: '/system/networking/bgp-new' },
    whyNot,
  } as const
  const navigate = useNavigate()
  const actions: ActionsOf<BgpConfig> = ({ name }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNot,
      onSelect: () =>
        void navigate({
          to: '/system/networking/bgp/$config/edit',
          params: { config: name },
          resetScroll: false,
        }),
    },
    {
      label: 'Delete',
      disabled: whyNot,
      onSelect: () =>
        confirmDelete({
          kind: 'BGP configuration',
          name,
          gone: 'Its AS number is no longer used. A configuration in use by port settings cannot be deleted.',
          run: () => remove.run({ query: { nameOrId: name } }),
        }),
    },
  ]
  return (
    <div className="mt-7">
      <h2 className="text-md">Configurations</h2>
      <TabHead actions={<CreateLink kind="BGP configuration" create={create} />}>
        A configuration defines the AS number of the rack's routers and the networks that they announce.
      </TabHead>
      <KindTable
        kind="BGP configuration"
        label="BGP configurations"
        list={useListPage(bgpConfigs)}
        columns={useMemo(() => configColumns(sets), [sets])}
        actions={actions}
        create={create}
        empty={{ title: 'No BGP configurations', text: 'Create a BGP configuration to see it here' }}
      />
    </div>
  )
}

const sessionColumns: Column<Session>[] = [
  {
    id: 'peer',
    header: 'Peer',
    part: 'name',
    cell: (session) => (
      <PageLink to="/system/networking/bgp" search={{ session: sessionKey(session) }} over className="name">
        {session.peerId}
      </PageLink>
    ),
  },
  {
    id: 'state',
    header: 'State',
    part: 'state',
    cell: (session) => (
      <span className="flex items-center gap-2">
        <StatePlate family={peerFamily(session)}>{stateWord(session.state)}</StatePlate>
        <span className="text-sm text-muted tabular-nums">{formatDistance(session.stateDurationMillis)}</span>
      </span>
    ),
  },
  { id: 'switch', header: 'Switch', part: 'meta', cell: (session) => session.switch },
  { id: 'local', header: 'Local AS', isLabelled: true, cell: ({ localAsn }) => localAsn },
  { id: 'remote', header: 'Remote AS', isLabelled: true, cell: ({ remoteAsn }) => remoteAsn },
]

const configColumns = (sets: Names): Column<BgpConfig>[] => [
  plainNameColumn<BgpConfig>(),
  { id: 'asn', header: 'AS', isLabelled: true, cell: ({ asn }) => asn },
  {
    id: 'announces',
    header: 'Announce set',
    isLabelled: true,
    cell: ({ bgpAnnounceSetId: id }) =>
      id ? <NameOf names={sets} id={id} gone={<EmptyCell />} /> : <EmptyCell />,
  },
  { id: 'paths', header: 'Paths', isLabelled: true, cell: ({ maxPaths }) => maxPaths },
  { id: 'vrf', header: 'VRF', isLabelled: true, cell: ({ vrf }) => vrf ?? <EmptyCell /> },
  createdColumn<BgpConfig>(),
]
