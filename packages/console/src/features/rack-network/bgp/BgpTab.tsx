import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/features/common/confirm.tsx'
import { useWhyNotOnFleet } from '#/features/common/fleet-permission.ts'
import { CreateLink, KindTable } from '#/features/common/KindTable.tsx'
import { useNames } from '#/features/common/names.tsx'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import { TabHead } from '#/features/common/TabHead.tsx'
import { useListPage } from '#/features/common/use-list-page.ts'
import { EmptyState } from '#/ui/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Table } from '#/ui/Table.tsx'
import { configColumns, sessionColumns } from './columns.tsx'
import { announceSets, type BgpConfig, bgpConfigs, sessionKey, sessions } from './queries.ts'

const SessionPanel = lazyPart(() => import('./SessionPanel.tsx'), 'SessionPanel')

/** The sessions with their peers, and the configurations of the rack's routers. */
export function BgpTab({ session: key }: { session: string | undefined }) {
  const { data } = useSuspenseQuery(sessions)
  const navigate = useNavigate()
  const open = data.find((session) => sessionKey(session) === key)
  return (
    <>
      <h2 className="text-md">Sessions</h2>
      <TabHead>Settings of a port name its peers; the sessions come up with its links.</TabHead>
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
    label: 'New BGP configuration',
    whyNot,
  } as const
  const actions: ActionsOf<BgpConfig> = ({ name }) => [
    {
      label: 'Delete',
      disabled: whyNot,
      onSelect: () =>
        confirmDelete({
          kind: 'BGP configuration',
          name,
          extra: 'A configuration that port settings use is not deleted.',
          run: () => remove.run({ query: { nameOrId: name } }),
        }),
    },
  ]
  return (
    <div className="mt-7">
      <h2 className="text-md">Configurations</h2>
      <TabHead actions={<CreateLink kind="BGP configuration" create={create} />}>
        A configuration gives the rack's routers an AS number, and the networks that they announce.
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
