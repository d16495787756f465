import type { Column } from '#/ui/data/column.ts'
import { Tag } from '#/ui/data/Tag.tsx'
import { Term } from '#/ui/data/Term.tsx'
import { Tooltip } from '#/ui/overlays/Tooltip.tsx'
import { EmptyCell, Truncate } from '#/ui/data/Truncate.tsx'
import { IpLink } from '#/kit/links/IpLink.tsx'
import { IpPoolName } from '#/features/ip-pools/parts.tsx'
import type { ExternalIp } from './queries.ts'

/** Only floating IPs have an id. Several instances share one SNAT address, each with its own ports. */
export const ipKey = (ip: ExternalIp): string =>
  ip.kind === 'floating' ? ip.id : `${ip.kind} ${ip.ip} ${ip.kind === 'snat' ? ip.firstPort : ''}`

export const externalIpColumns: readonly Column<ExternalIp>[] = [
  { id: 'ip', header: 'IP', width: '26%', cell: (ip) => <Address ip={ip} /> },
  {
    id: 'kind',
    header: (
      <Term tip="Floating IPs can move between instances. SNAT addresses are for outbound traffic only and are used without an ephemeral or floating IP.">
        Kind
      </Term>
    ),
    part: 'state',
    width: '12%',
    cell: ({ kind }) => <Tag mono>{kind}</Tag>,
  },
  {
    id: 'pool',
    header: 'IP pool',
    part: 'meta',
    width: '16%',
    cell: ({ ipPoolId }) => <IpPoolName id={ipPoolId} />,
  },
  {
    id: 'name',
    header: 'Name',
    part: 'meta',
    width: '18%',
    cell: (ip) => (ip.kind === 'floating' ? ip.name : <Nameless kind={ip.kind} />),
  },
  {
    id: 'description',
    header: 'Description',
    part: 'meta',
    rank: 'low',
    cell: (ip) =>
      ip.kind !== 'floating' ? (
        <Nameless kind={ip.kind} />
      ) : ip.description ? (
        <Truncate text={ip.description} max={48} />
      ) : (
        <EmptyCell />
      ),
  },
]

function Address({ ip }: { ip: ExternalIp }) {
  if (ip.kind !== 'snat') return <IpLink ip={ip.ip} />
  return (
    <span className="whitespace-nowrap">
      <IpLink ip={ip.ip} />
      <Term tip="Outbound traffic of the instance uses this address and these ports.">
        <Tag mono>
          {ip.firstPort}–{ip.lastPort}
        </Tag>
      </Term>
    </span>
  )
}

function Nameless({ kind }: { kind: 'ephemeral' | 'snat' }) {
  const which = kind === 'snat' ? 'A SNAT address' : 'An ephemeral IP'
  return (
    <Tooltip content={`${which} has no name and no description`}>
      <span>
        <EmptyCell />
      </span>
    </Tooltip>
  )
}
