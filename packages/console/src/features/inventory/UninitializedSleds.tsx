import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import CirclePlus from 'lucide-react/icons/circle-plus'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/features/common/confirm.tsx'
import { useWhyNotOnFleet } from '#/features/common/fleet-permission.ts'
import { actionMenu } from '#/features/common/row-menu.tsx'
import { SectionError } from '#/features/common/SectionError.tsx'
import { successMessage } from '#/features/common/success-message.tsx'
import { Card } from '#/ui/Card.tsx'
import { CardEmpty } from '#/ui/CardEmpty.tsx'
import type { Column } from '#/ui/column.ts'
import { Table } from '#/ui/Table.tsx'
import { type UninitializedSled, uninitializedSleds } from './queries.ts'

const columns: Column<UninitializedSled>[] = [
  {
    id: 'serial',
    header: 'Serial number',
    cell: ({ baseboard }) => <span className="font-medium text-strong">{baseboard.serial}</span>,
  },
  { id: 'part', header: 'Part number', part: 'meta', cell: ({ baseboard }) => baseboard.part },
  {
    id: 'revision',
    header: 'Revision',
    align: 'right',
    isLabelled: true,
    cell: ({ baseboard }) => baseboard.revision,
  },
  { id: 'slot', header: 'Slot', align: 'right', isLabelled: true, cell: ({ cubby }) => cubby },
]

const keyOf = ({ baseboard }: UninitializedSled): string => `${baseboard.part} ${baseboard.serial}`

/** Sleds in the rack that are not part of it yet. */
export function UninitializedSleds() {
  const found = useQuery(uninitializedSleds)
  const whyNot = useWhyNotOnFleet()
  const add = useOp(op.sledAdd)
  const confirmAdd = ({ baseboard: { serial, part } }: UninitializedSled): void =>
    confirmAction({
      title: 'Add sled',
      content: (
        <p>
          <strong>{serial}</strong> becomes part of the rack, and instances can be placed on it.
        </p>
      ),
      pendingLabel: 'Adding',
      errorTitle: 'Could not add sled',
      success: successMessage('Sled', serial, 'added'),
      run: () => add.run({ body: { serial, part } }),
    })
  return (
    <Card title="Uninitialized sleds" description="In the rack, but not part of it yet" flush>
      <Table
        inset
        label="Uninitialized sleds"
        columns={columns}
        rows={found.data?.items}
        rowKey={keyOf}
        skeletonRows={2}
        {...(found.error && {
          error: <SectionError failure={found.error} onRetry={() => void found.refetch()} />,
        })}
        empty={<CardEmpty title="No uninitialized sleds">New sleds show up here.</CardEmpty>}
        actions={(row) =>
          actionMenu([
            {
              label: 'Add sled',
              icon: <CirclePlus aria-hidden strokeWidth={1.75} />,
              disabled: whyNot,
              onSelect: () => confirmAdd(row),
            },
          ])
        }
      />
    </Card>
  )
}
