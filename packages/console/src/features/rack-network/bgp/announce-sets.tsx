import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useOp } from '#/data/use-op.ts'
import { createdColumn, plainNameColumn } from '#/features/common/columns.tsx'
import { confirmDelete } from '#/features/common/confirm.tsx'
import { DeferredValue, deferredOf } from '#/features/common/DeferredValue.tsx'
import { useWhyNotOnFleet } from '#/features/common/fleet-permission.ts'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import type { Column } from '#/ui/column.ts'
import { EmptyCell } from '#/ui/Truncate.tsx'
import { type AnnounceSet, announcementsOf } from './queries.ts'

export const setColumns: Column<AnnounceSet>[] = [
  plainNameColumn<AnnounceSet>(),
  { id: 'networks', header: 'Networks', part: 'line', cell: ({ name }) => <Networks set={name} /> },
  {
    id: 'description',
    header: 'Description',
    part: 'line',
    cell: ({ description }) => description || <EmptyCell />,
  },
  createdColumn<AnnounceSet>(),
]

function Networks({ set }: { set: string }) {
  return (
    <DeferredValue
      of={deferredOf(useQuery(announcementsOf(set)))}
      render={(announcements) =>
        announcements.length === 0 ? (
          <EmptyCell />
        ) : (
          <ul className="font-mono text-[0.8125rem]">
            {announcements.map(({ network, addressLotBlockId }) => (
              <li key={`${network} ${addressLotBlockId}`}>{network}</li>
            ))}
          </ul>
        )
      }
    />
  )
}

export function useSetActions(): ActionsOf<AnnounceSet> {
  const whyNot = useWhyNotOnFleet()
  const remove = useOp(op.networkingBgpAnnounceSetDelete)
  return ({ name }) => [
    {
      label: 'Replace networks',
      disabled: whyNot,
      over: true,
      link: { to: '/system/networking/announce-sets/$set/edit', params: { set: name } },
    },
    {
      label: 'Delete',
      disabled: whyNot,
      onSelect: () =>
        confirmDelete({
          kind: 'announce set',
          name,
          extra: 'A set that a BGP configuration uses is not deleted.',
          run: () => remove.run({ path: { announceSet: name } }),
        }),
    },
  ]
}
