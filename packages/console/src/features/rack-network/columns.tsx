import type { Column } from '#/ui/data/column.ts'
import { plural } from '#/ui/data/format.ts'
import { StatePlate } from '#/ui/data/StatePlate.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import type { PlacedPort } from './queries.ts'
import { gigabits, linkFamilies, peerFamily, stateWord } from './states.ts'

export const portColumns: Column<PlacedPort>[] = [
  {
    id: 'port',
    header: 'Port',
    cell: ({ place }) => <span className="font-medium text-strong">{place}</span>,
  },
  { id: 'settings', header: 'Settings', part: 'meta', cell: ({ portSettings }) => portSettings?.name },
  {
    id: 'neighbor',
    header: 'Neighbor',
    part: 'meta',
    cell: ({ neighbor }) => (neighbor ? `${neighbor.systemName}, ${neighbor.linkName}` : <EmptyCell />),
  },
  {
    id: 'links',
    header: 'Links',
    part: 'line',
    cell: ({ links }) =>
      links.length === 0 ? (
        <EmptyCell />
      ) : (
        <ul className="space-y-1">
          {links.map(({ linkName, state, reason, speedGbps, addresses }) => (
            <li key={linkName}>
              <span className="flex flex-wrap items-center gap-x-2">
                <StatePlate family={linkFamilies[state]}>
                  {linkName} {stateWord(state)}
                </StatePlate>
                <span className="font-mono text-[0.8125rem]">{addresses.join(', ')}</span>
                <span className="text-muted">{gigabits(speedGbps)}</span>
              </span>
              {reason && <span className="block text-sm text-muted">{reason}</span>}
            </li>
          ))}
        </ul>
      ),
  },
  {
    id: 'peers',
    header: 'BGP peers',
    part: 'line',
    cell: ({ links, peers }) =>
      peers.length === 0 ? (
        <EmptyCell />
      ) : (
        <ul className="space-y-1">
          {peers.map((peer) => (
            <li key={peer.peerId}>
              <span className="flex flex-wrap items-center gap-x-2">
                <StatePlate family={peerFamily(peer, links)}>{stateWord(peer.state)}</StatePlate>
                <span className="font-mono text-[0.8125rem]">{peer.peerId}</span>
                <span className="text-muted">
                  AS {peer.localAsn} to AS {peer.remoteAsn}
                </span>
              </span>
              <span className="block text-sm text-muted">
                {peer.reason ??
                  `${peer.exported.length} ${plural('network', peer.exported.length)} announced, ${peer.imported.length} learned`}
              </span>
            </li>
          ))}
        </ul>
      ),
  },
]
