import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { useWhyNot } from '#/data/permissions.ts'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import { type Amounts, siloUtilization } from '#/features/silos/queries.ts'
import { Button } from '#/ui/Button.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Figure } from '#/ui/data/Figures.tsx'
import { bytesToGib } from '#/ui/data/format-amounts.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { StatePlate } from '#/ui/data/StatePlate.tsx'
import { Table } from '#/ui/data/Table.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/quotas')({
  loader: ({ context, params }) => context.prefetch(siloUtilization(params.silo)),
  staticData: { crumb: { label: 'Quotas', to: '/system/silos/$silo/quotas' } },
  component: QuotasCard,
})

const EditQuotas = lazyPart(() => import('#/features/silos/tabs/EditQuotas.tsx'), 'EditQuotas')

interface QuotaRow {
  id: keyof Amounts
  label: string
  provisioned: number
  quota: number
  isOver: boolean
}

const columns: Column<QuotaRow>[] = [
  {
    id: 'resource',
    header: 'Resource',
    cell: ({ label }) => <span className="font-medium text-strong">{label}</span>,
  },
  {
    id: 'provisioned',
    header: 'Provisioned',
    align: 'right',
    isLabelled: true,
    cell: ({ provisioned }) => <Figure value={provisioned} />,
  },
  {
    id: 'quota',
    header: 'Quota',
    align: 'right',
    isLabelled: true,
    cell: ({ quota }) => <Figure value={quota} />,
  },
  {
    id: 'note',
    header: 'State',
    part: 'state',
    cell: ({ isOver }) =>
      isOver ? (
        <StatePlate family="care">Over quota</StatePlate>
      ) : (
        <StatePlate family="ok">Within quota</StatePlate>
      ),
  },
]

const rowsOf = (provisioned: Amounts, quota: Amounts): QuotaRow[] => [
  { id: 'cpus', label: 'CPU (vCPUs)', ...compared(provisioned.cpus, quota.cpus) },
  { id: 'memory', label: 'Memory (GiB)', ...compared(provisioned.memory, quota.memory, bytesToGib) },
  { id: 'storage', label: 'Storage (GiB)', ...compared(provisioned.storage, quota.storage, bytesToGib) },
]

/** Compared before they are rounded. */
const compared = (provisioned: number, quota: number, shown = (amount: number): number => amount) => ({
  provisioned: shown(provisioned),
  quota: shown(quota),
  isOver: provisioned > quota,
})

/** A silo's quotas beside its use, which can exceed a lowered quota. */
function QuotasCard() {
  const { silo } = Route.useParams()
  const { data } = useSuspenseQuery(siloUtilization(silo))
  const [isOpen, setOpen] = useState(false)
  const whyNot = useWhyNot({ action: 'modify', object: 'silo_quotas', id: silo })
  return (
    <>
      <TabHead
        actions={
          <Button disabledReason={whyNot} onClick={() => setOpen(true)}>
            Edit quotas
          </Button>
        }
      >
        A silo can provision resources up to its quota.
      </TabHead>
      <Table
        label="Quotas"
        columns={columns}
        rows={rowsOf(data.provisioned, data.allocated)}
        rowKey={({ id }) => id}
      />
      {isOpen && <EditQuotas silo={silo} onClose={() => setOpen(false)} />}
    </>
  )
}
