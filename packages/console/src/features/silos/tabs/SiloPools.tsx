import { useState } from 'react'
import { useWhyNot } from '#/data/permissions.ts'
import { descriptionColumn, nameColumn } from '#/features/common/columns.tsx'
import { usePaletteItems } from '#/features/common/palette-items.ts'
import { ResourceTable } from '#/features/common/ResourceTable.tsx'
import { TabHead } from '#/features/common/TabHead.tsx'
import { useListPage } from '#/features/common/use-list-page.ts'
import { poolLink } from '#/features/system-ip-pools/links.ts'
import { Button } from '#/ui/Button.tsx'
import type { Column } from '#/ui/column.ts'
import { EmptyState } from '#/ui/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { poolsOf, type SiloPool } from '../queries.ts'
import { PoolDefault } from './PoolDefault.tsx'
import { useSiloPoolActions } from './use-silo-pool-actions.tsx'

const LinkPoolDialog = lazyPart(() => import('./LinkPoolDialog.tsx'), 'LinkPoolDialog')

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
export function SiloPools({ silo }: { silo: string }) {
  const list = useListPage(poolsOf(silo))
  const actions = useSiloPoolActions(silo)
  const whyNot = useWhyNot({ action: 'modify', object: 'fleet' })
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
        }
      />
      {isOpen && <LinkPoolDialog silo={silo} onClose={() => setOpen(false)} />}
    </>
  )
}
