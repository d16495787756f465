import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import CirclePlus from 'lucide-react/icons/circle-plus'
import { useMemo } from 'react'
import { usePolling } from '#/data/live.ts'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { actionMenu, type RowAction } from '#/kit/list/row-menu.tsx'
import { pollSlowly } from '#/kit/page/poll-while.ts'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { StatePlate } from '#/ui/data/StatePlate.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { sledLink } from './links.ts'
import {
  type AdoptionRequest,
  adoptionRequests,
  type SledUse,
  type UnadoptedDisk,
  unadoptedDisks,
} from './queries.ts'

/** A disk that was found and not adopted, or whose adoption was requested. */
interface Row {
  disk: UnadoptedDisk['diskId']
  found?: UnadoptedDisk
  request?: AdoptionRequest
}

const keyOf = ({ disk: { vendor, serial, model } }: Row): string => `${vendor} ${model} ${serial}`

function columnsWith(uses: readonly SledUse[]): Column<Row>[] {
  const serials = new Map(uses.map(({ sled }) => [sled.id, sled.baseboard.serial]))
  return [
    {
      id: 'serial',
      header: 'Serial number',
      cell: ({ disk }) => <span className="font-medium text-strong">{disk.serial}</span>,
    },
    {
      id: 'sled',
      header: 'Sled',
      part: 'meta',
      cell: ({ found }) => {
        const serial = found && serials.get(found.sledId)
        if (!found || !serial) return <EmptyCell />
        return (
          <>
            <PageLink {...sledLink(found.sledId)} className="link">
              {serial}
            </PageLink>
            <span className="text-sm text-muted"> disk slot {found.slot}</span>
          </>
        )
      },
    },
    { id: 'vendor', header: 'Vendor', part: 'meta', cell: ({ disk }) => disk.vendor },
    { id: 'model', header: 'Model number', part: 'meta', cell: ({ disk }) => disk.model },
    {
      id: 'state',
      header: 'State',
      part: 'state',
      cell: ({ request }) => (
        <StatePlate family={request ? 'busy' : 'idle'}>
          {request ? 'Adoption requested' : 'Not adopted'}
        </StatePlate>
      ),
    },
  ]
}

/** Disks that the rack has found and does not use yet. */
export function UnadoptedDisks({ uses }: { uses: readonly SledUse[] }) {
  const whyNot = useWhyNotOnFleet()
  const poll = usePolling(pollSlowly())
  const requests = useQuery({ ...adoptionRequests, refetchInterval: poll })
  const found = useQuery({ ...unadoptedDisks, refetchInterval: poll })
  const adopt = useOp(op.physicalDiskEnableAdoption)
  const withdraw = useOp(op.physicalDiskDisableAdoption)
  const columns = useMemo(() => columnsWith(uses), [uses])
  const error = found.error ?? requests.error
  // A server of a former version.
  if (error?.statusCode === 404) return null

  const actions = ({ disk, request }: Row): RowAction[] =>
    request
      ? [
          {
            label: 'Withdraw request',
            disabled: whyNot,
            onSelect: () =>
              confirmAction({
                title: 'Withdraw request',
                content: (
                  <p>
                    Disk <strong>{disk.serial}</strong> stays unused until its adoption is requested again.
                  </p>
                ),
                pendingLabel: 'Withdrawing',
                errorTitle: 'Could not withdraw request',
                success: successMessage('Request for disk', disk.serial, 'withdrawn'),
                run: () => withdraw.run({ path: { physicalDiskAdoptionReqId: request.id } }),
              }),
          },
        ]
      : [
          {
            label: 'Adopt disk',
            icon: <CirclePlus aria-hidden strokeWidth={1.75} />,
            disabled: whyNot,
            onSelect: () =>
              confirmAction({
                title: 'Adopt disk',
                kind: 'primary',
                content: (
                  <p>
                    The rack takes disk <strong>{disk.serial}</strong> into service. What is stored on it is
                    deleted.
                  </p>
                ),
                confirmLabel: 'Adopt disk',
                pendingLabel: 'Requesting',
                errorTitle: 'Could not adopt disk',
                success: successMessage('Adoption of disk', disk.serial, 'requested'),
                run: () => adopt.run({ body: disk }),
              }),
          },
        ]

  const rows: Row[] | undefined = found.data &&
    requests.data && [
      ...requests.data.map((request) => ({ disk: request.diskId, request })),
      ...found.data.items.map((each) => ({ disk: each.diskId, found: each })),
    ]
  return (
    <Card title="Unadopted disks" description="Found in sleds, and not in use yet" flush>
      <Table
        inset
        label="Unadopted disks"
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        skeletonRows={2}
        {...(error && {
          error: (
            <SectionError
              failure={error}
              onRetry={() => {
                void found.refetch()
                void requests.refetch()
              }}
            />
          ),
        })}
        empty={<CardEmpty title="No unadopted disks">New disks show up here.</CardEmpty>}
        actions={(row) => actionMenu(actions(row))}
      />
    </Card>
  )
}
