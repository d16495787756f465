import { createdColumn, plainNameColumn } from '#/features/common/columns.tsx'
import { PageLink } from '#/features/common/PageLink.tsx'
import { type Names, NameOf } from '#/features/common/names.tsx'
import type { Column } from '#/ui/column.ts'
import { formatDistance } from '#/ui/format.ts'
import { StatePlate } from '#/ui/StatePlate.tsx'
import { EmptyCell } from '#/ui/Truncate.tsx'
import { peerFamily, stateWord } from '../states.ts'
import { type BgpConfig, type Session, sessionKey } from './queries.ts'

export const sessionColumns: Column<Session>[] = [
  {
    id: 'peer',
    header: 'Peer',
    part: 'name',
    cell: (session) => (
      <PageLink to="/system/networking/bgp" search={{ session: sessionKey(session) }} className="name">
        {session.addr}
      </PageLink>
    ),
  },
  {
    id: 'state',
    header: 'State',
    part: 'state',
    cell: (session) => (
      <span className="flex items-center gap-2">
        <StatePlate family={peerFamily(session)}>{stateWord(session.state)}</StatePlate>
        <span className="text-sm text-muted tabular-nums">{formatDistance(session.stateDurationMillis)}</span>
      </span>
    ),
  },
  { id: 'switch', header: 'Switch', part: 'meta', cell: (session) => session.switch },
  { id: 'local', header: 'Local AS', isLabelled: true, cell: ({ localAsn }) => localAsn },
  { id: 'remote', header: 'Remote AS', isLabelled: true, cell: ({ remoteAsn }) => remoteAsn },
]

export const configColumns = (sets: Names): Column<BgpConfig>[] => [
  plainNameColumn<BgpConfig>(),
  { id: 'asn', header: 'AS', isLabelled: true, cell: ({ asn }) => asn },
  {
    id: 'announces',
    header: 'Announce set',
    isLabelled: true,
    cell: ({ bgpAnnounceSetId: id }) =>
      id ? <NameOf names={sets} id={id} gone={<EmptyCell />} /> : <EmptyCell />,
  },
  { id: 'vrf', header: 'VRF', isLabelled: true, cell: ({ vrf }) => vrf ?? <EmptyCell /> },
  createdColumn<BgpConfig>(),
]
