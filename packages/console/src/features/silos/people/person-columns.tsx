import { DateTime } from '#/ui/DateTime.tsx'
import { formatNumber } from '#/ui/format.ts'
import type { Column } from '#/ui/column.ts'
import { Tag } from '#/ui/Tag.tsx'
import { EmptyCell } from '#/ui/Truncate.tsx'
import { PageLink } from '#/features/common/PageLink.tsx'
import { siloUserLink } from '../links.ts'
import type { Person } from './queries.ts'
import { passwordWords } from './words.ts'

/** How the users of a silo sign in, and their open sessions and tokens. */
export const personColumns = (silo: string): Column<Person>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, displayName }) => (
      <PageLink {...siloUserLink(silo, id)} over className="name">
        {displayName}
      </PageLink>
    ),
  },
  {
    id: 'password',
    header: 'Password',
    part: 'state',
    isLabelled: true,
    cell: ({ password }) => (password === 'none' ? <EmptyCell /> : <Tag>{passwordWords[password]}</Tag>),
  },
  {
    id: 'second-factor',
    header: 'Second factor',
    part: 'meta',
    rank: 'low',
    cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'Yes' : 'No'),
  },
  {
    id: 'sessions',
    header: 'Sessions',
    align: 'right',
    isLabelled: true,
    cell: ({ sessionCount }) => <span className="tabular-nums">{formatNumber(sessionCount)}</span>,
  },
  {
    id: 'tokens',
    header: 'Access tokens',
    align: 'right',
    isLabelled: true,
    rank: 'low',
    cell: ({ accessTokenCount }) => <span className="tabular-nums">{formatNumber(accessTokenCount)}</span>,
  },
  {
    id: 'last-used',
    header: 'Last used',
    part: 'meta',
    rank: 'low',
    cell: ({ timeLastUsed }) => (timeLastUsed ? <DateTime value={timeLastUsed} /> : <EmptyCell />),
  },
]
