import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import CircleMinus from 'lucide-react/icons/circle-minus'
import { opQuery } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import type { Column } from '#/ui/data/column.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { stateWord } from './states.ts'

export type BfdSession = OutputOf<'networkingBfdStatus'>[number]

/** Sessions change state without a change record. */
export const bfdSessions = { ...opQuery(op.networkingBfdStatus, {}), refetchInterval: 2000 }

export const bfdKey = (session: BfdSession): string => `${session.switchSlot} ${session.peer}`

/** Single hop means one cable; multihop, a path over several routers. */
export const bfdModes = [
  { value: 'single_hop', label: 'Single hop' },
  { value: 'multi_hop', label: 'Multiple hops' },
] as const

const families: Record<BfdSession['state'], StateFamily> = {
  up: 'ok',
  init: 'busy',
  down: 'fail',
  admin_down: 'gone',
}

export const bfdColumns: Column<BfdSession>[] = [
  {
    id: 'peer',
    header: 'Peer',
    cell: ({ peer }) => <span className="font-medium text-strong">{peer}</span>,
  },
  {
    id: 'state',
    header: 'State',
    part: 'state',
    cell: ({ state }) => <StatePlate family={families[state]}>{stateWord(state)}</StatePlate>,
  },
  { id: 'switch', header: 'Switch', part: 'meta', cell: (session) => session.switchSlot },
  { id: 'local', header: 'Local address', isLabelled: true, cell: ({ local }) => local ?? <EmptyCell /> },
  {
    id: 'mode',
    header: 'Mode',
    part: 'meta',
    cell: ({ mode }) => bfdModes.find(({ value }) => value === mode)?.label,
  },
  {
    id: 'interval',
    header: 'Interval',
    isLabelled: true,
    cell: ({ requiredRx }) => `${formatNumber(requiredRx)} µs`,
  },
  {
    id: 'threshold',
    header: 'Detection threshold',
    isLabelled: true,
    cell: ({ detectionThreshold }) => detectionThreshold,
  },
]

export function useBfdActions(): ActionsOf<BfdSession> {
  const disable = useOp(op.networkingBfdDisable)
  return (session) => [
    {
      label: 'Disable',
      icon: <CircleMinus aria-hidden strokeWidth={1.75} />,
      onSelect: () =>
        confirmAction({
          title: 'Confirm disable BFD session',
          content: (
            <p>
              Are you sure you want to disable the session of {session.switchSlot} with{' '}
              <strong>{session.peer}</strong>?
            </p>
          ),
          kind: 'danger',
          pendingLabel: 'Disabling',
          errorTitle: 'Could not disable BFD session',
          success: (
            <>
              BFD session with <strong>{session.peer}</strong> disabled
            </>
          ),
          run: () => disable.run({ body: { switchSlot: session.switchSlot, remote: session.peer } }),
        }),
    },
  ]
}
