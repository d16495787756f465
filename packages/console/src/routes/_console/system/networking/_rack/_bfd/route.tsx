import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useWhyLacking } from '#/data/fleet.ts'
import { useListPalette } from '#/kit/page/palette-items.ts'
import { CreateLink } from '#/kit/list/ResourceList.tsx'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { bfdColumns, bfdKey, bfdSessions, useBfdActions } from '#/features/rack-network/bfd.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Table } from '#/ui/data/Table.tsx'

export const Route = createFileRoute('/_console/system/networking/_rack/_bfd')({
  loader: ({ context }) => context.prefetch(bfdSessions),
  staticData: { crumb: { label: 'BFD', to: '/system/networking/bfd' } },
  component: Bfd,
})

function Bfd() {
  const { data } = useSuspenseQuery(bfdSessions)
  const actions = useBfdActions()
  const whyNot = useWhyLacking('switches')
  const link = { to: '/system/networking/bfd-new' } as const
  const create = { link, label: 'Enable BFD session', whyNot }
  useListPalette({ kind: 'BFD session', create: whyNot === undefined ? create : undefined, rows: data })
  return (
    <>
      <TabHead actions={<CreateLink kind="BFD session" create={create} />}>
        A session detects within a second when a router stops responding.
      </TabHead>
      <Table
        label="BFD sessions"
        columns={bfdColumns}
        rows={data}
        rowKey={bfdKey}
        actions={(row) => actionMenu(actions(row))}
        empty={
          <EmptyState title="No BFD sessions" action={<CreateLink kind="BFD session" create={create} />}>
            Enable a BFD session to see it here
          </EmptyState>
        }
      />
      <Outlet />
    </>
  )
}
