import * as op from '@gantry/api/client/operations.gen'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import CirclePlus from 'lucide-react/icons/circle-plus'
import Server from 'lucide-react/icons/server'
import { useMemo } from 'react'
import { useChanged, usePolling } from '#/data/live.ts'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { deferredOf } from '#/kit/page/deferred.tsx'
import { useListPalette } from '#/kit/page/palette-items.ts'
import { pollSlowly } from '#/kit/page/poll-while.ts'
import { actionMenu, rowMenu } from '#/kit/list/row-menu.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { baseboardColumns } from '#/features/inventory/hardware-columns.tsx'
import { sledLink } from '#/features/inventory/links.ts'
import {
  loadsOf,
  rackMembership,
  type SledUse,
  sledUses,
  type UninitializedSled,
  uninitializedSleds,
} from '#/features/inventory/queries.ts'
import { sledColumns, sledGroups } from '#/features/inventory/sled-columns.tsx'
import { useSledActions } from '#/features/inventory/use-sled-actions.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { GroupHeads } from '#/ui/data/GroupHeads.tsx'
import { StatePlate } from '#/ui/data/StatePlate.tsx'
import { Table } from '#/ui/data/Table.tsx'

export const Route = createFileRoute('/_console/system/inventory/_page/sleds/')({
  loader: ({ context }) => {
    context.begin(uninitializedSleds)
    return context.prefetch(sledUses)
  },
  staticData: { crumb: { label: 'Sleds', to: '/system/inventory/sleds' } },
  component: Sleds,
})

function Sleds() {
  const { data } = useSuspenseQuery(sledUses)
  useListPalette({
    kind: 'sled',
    icon: Server,
    rows: data.items,
    rowEntry: ({ sled }) => ({ label: sled.baseboard.serial, link: sledLink(sled.id) }),
  })
  return (
    <div className="space-y-5.5">
      <SledTable uses={data.items} />
      <UninitializedSleds />
    </div>
  )
}

/** All sleds of the fleet with their load, except those that were removed for good. */
function SledTable({ uses }: { uses: readonly SledUse[] }) {
  const { actions, dialog } = useSledActions()
  const loads = deferredOf(useQuery({ ...loadsOf(uses), refetchInterval: usePolling(pollSlowly()) }))
  return (
    <>
      <Table
        tight
        label="Sleds"
        columns={useMemo(() => sledColumns(loads), [loads])}
        groups={<GroupHeads spans={sledGroups} />}
        rows={uses}
        rowKey={idOf}
        changedKeys={useChanged()}
        empty={<EmptyState title="No sleds found" />}
        actions={(use) =>
          rowMenu(use.sled.id, 'Copy ID', actions({ sled: use.sled, isDraining: use.drainId !== null, use }))
        }
      />
      {dialog}
    </>
  )
}

const idOf = ({ sled }: SledUse): string => sled.id

const columnsOf = (adding: ReadonlySet<string>): Column<UninitializedSled>[] => [
  ...baseboardColumns,
  { id: 'slot', header: 'Slot', align: 'right', isLabelled: true, cell: ({ cubby }) => cubby },
  {
    id: 'state',
    header: 'State',
    part: 'state',
    cell: (row) =>
      adding.has(keyOf(row)) ? (
        <StatePlate family="busy">Being added</StatePlate>
      ) : (
        <StatePlate family="idle">Uninitialized</StatePlate>
      ),
  },
]

const keyOf = ({ baseboard }: UninitializedSled): string => `${baseboard.part} ${baseboard.serial}`

/** The members of a change in progress; those that are no members yet are being added. */
function useBeingAdded(rackId: string | undefined): ReadonlySet<string> {
  const { data } = useQuery({
    ...rackMembership(rackId ?? ''),
    refetchInterval: usePolling(pollSlowly()),
    enabled: rackId !== undefined,
  })
  return useMemo(
    () =>
      new Set(
        data?.state === 'in_progress'
          ? data.members.map(({ partNumber, serialNumber }) => `${partNumber} ${serialNumber}`)
          : [],
      ),
    [data],
  )
}

/** Sleds in the rack that have not been added to it yet. */
function UninitializedSleds() {
  const found = useQuery(uninitializedSleds)
  const whyNot = useWhyNotOnFleet()
  const add = useOp(op.rackMembershipAddSleds)
  const adding = useBeingAdded(found.data?.items[0]?.rackId)
  const columns = useMemo(() => columnsOf(adding), [adding])
  const confirmAdd = ({ baseboard: { serial, part }, rackId }: UninitializedSled): void =>
    confirmAction({
      title: 'Add sled',
      content: (
        <p>
          <strong>{serial}</strong> becomes part of the rack once its other sleds have confirmed it. Instances
          can then be placed on it.
        </p>
      ),
      pendingLabel: 'Adding',
      errorTitle: 'Could not add sled',
      success: successMessage('Sled', serial, 'is being added'),
      run: () =>
        add.run({ path: { rackId }, body: { sledIds: [{ serialNumber: serial, partNumber: part }] } }),
    })
  return (
    <Card title="Uninitialized sleds" description="In the rack, but not added to it yet" flush>
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
              disabled: whyNot ?? (adding.size > 0 ? 'Sleds are being added to the rack' : undefined),
              onSelect: () => confirmAdd(row),
            },
          ])
        }
      />
    </Card>
  )
}
