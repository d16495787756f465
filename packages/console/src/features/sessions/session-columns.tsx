import { DateTime, RelativeTime } from '#/ui/DateTime.tsx'
import type { Column } from '#/ui/column.ts'
import { Tag } from '#/ui/Tag.tsx'
import { Tooltip } from '#/ui/Tooltip.tsx'
import { EmptyCell } from '#/ui/Truncate.tsx'
import { browserName } from './browser-name.ts'
import type { Session } from './queries.ts'

export const sessionColumns: Column<Session>[] = [
  {
    id: 'browser',
    header: 'Browser',
    part: 'name',
    cell: ({ userAgent, current }) => (
      <span className="inline-flex items-center gap-2">
        <Tooltip content={userAgent ?? 'The browser did not identify itself'} describes={false}>
          <span className="font-medium text-strong">{browserName(userAgent)}</span>
        </Tooltip>
        {current && <Tag>This session</Tag>}
      </span>
    ),
  },
  {
    id: 'address',
    header: 'Address',
    part: 'meta',
    cell: ({ address }) =>
      address ? <span className="font-mono text-[0.8125rem]">{address}</span> : <EmptyCell />,
  },
  {
    id: 'used',
    header: 'Last used',
    part: 'meta',
    cell: ({ timeLastUsed }) => <RelativeTime value={timeLastUsed} caption="Last used" ago />,
  },
  {
    id: 'signed-in',
    header: 'Signed in',
    part: 'meta',
    rank: 'low',
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

/** This session first, then by last use. */
export const bySessionUse = (a: Session, b: Session): number =>
  Number(b.current) - Number(a.current) || b.timeLastUsed.getTime() - a.timeLastUsed.getTime()
