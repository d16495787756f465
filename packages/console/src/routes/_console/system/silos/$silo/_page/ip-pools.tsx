import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import Check from 'lucide-react/icons/check'
import { useState } from 'react'
import { useWhyNot } from '#/data/permissions.ts'
import { descriptionColumn, nameColumn } from '#/kit/list/columns.tsx'
import { NewLink } from '#/kit/list/ListPage.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { usePaletteItems } from '#/kit/page/palette-items.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { allPools, allPoolsOf, poolsOf, type SiloPool } from '#/features/silos/queries.ts'
import { useSiloPoolActions } from '#/features/silos/tabs/use-silo-pool-actions.tsx'
import { poolLink } from '#/features/system-ip-pools/links.ts'
import { Button } from '#/ui/Button.tsx'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/ip-pools')({
  validateSearch: pageSearch,
  loader: ({ params: { silo }, ...visit }) => loadList(visit, poolsOf(silo), allPoolsOf(silo)),
  staticData: { crumb: { label: 'IP Pools', to: '/system/silos/$silo/ip-pools' } },
  component: SiloPools,
})

const LinkPoolDialog = lazyPart(() => import('#/features/silos/tabs/LinkPoolDialog.tsx'), 'LinkPoolDialog')

const columns: Column<SiloPool>[] = [
  nameColumn<SiloPool>(({ name }) => poolLink(name)),
  descriptionColumn<SiloPool>(),
  {
    id: 'default',
    header: 'Default',
    part: 'state',
    cell: ({ isDefault }) => isDefault && <PoolDefault />,
  },
]

/** The pools that allocate the silo's addresses. */
function SiloPools() {
  const { silo } = Route.useParams()
  const list = useListPage(poolsOf(silo))
  const actions = useSiloPoolActions(silo)
  const whyNot = useWhyNot({ action: 'modify', object: 'fleet' })
  // Asked only where it decides what an empty list offers.
  const { data: pools } = useQuery({ ...allPools, enabled: list.rows?.length === 0 })
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  usePaletteItems(whyNot === undefined ? [{ label: 'Link pool', run: open }] : [])
  const button = (
    <Button kind="primary" disabledReason={whyNot} onClick={open}>
      Link pool
    </Button>
  )
  return (
    <>
      <TabHead actions={button}>External IPs of the silo come from the pools linked to it.</TabHead>
      <ResourceTable
        label="IP Pools"
        list={list}
        columns={columns}
        actions={actions}
        empty={
          pools?.length === 0 ? (
            <EmptyState
              title="No IP pools"
              action={
                <NewLink kind="default" link={{ to: '/system/networking/ip-pools-new' }} disabled={whyNot}>
                  New IP pool
                </NewLink>
              }
            >
              Create and link an IP pool to see it here
            </EmptyState>
          ) : (
            <EmptyState
              title="No IP pools"
              action={
                <Button disabledReason={whyNot} onClick={open}>
                  Link pool
                </Button>
              }
            >
              Link an IP pool to see it here
            </EmptyState>
          )
        }
      />
      {isOpen && <LinkPoolDialog silo={silo} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Marks the pool that allocates addresses if none is named. */
const PoolDefault = () => (
  <span className="inline-flex items-center gap-1.5">
    <Check aria-hidden strokeWidth={1.75} className="size-4 text-ok-fill" />
    default
  </span>
)
