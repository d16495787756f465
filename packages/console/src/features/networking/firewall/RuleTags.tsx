import { Tag, TagList } from '../../../ui/Tag.tsx'
import { EmptyCell } from '../../../ui/Truncate.tsx'
import type { Host, Protocol, Rule } from './rule.ts'
import { hostText, icmpDetail, protocolText } from './words.ts'

/** The types are those of the API; how they are written is a matter of looks. */
const looks: Record<Host['type'], string> = {
  vpc: 'uppercase',
  subnet: 'capitalize',
  instance: 'capitalize',
  ip: 'uppercase',
  ip_net: 'uppercase',
}

const Kind = ({ kind }: { kind: Host['type'] }) => <span className={looks[kind]}>{kind}</span>

export const KindTag = ({ kind }: { kind: Host['type'] }) => (
  <Tag>
    <Kind kind={kind} />
  </Tag>
)

export const HostTag = ({ host }: { host: Host }) => <Tag kind={<Kind kind={host.type} />}>{host.value}</Tag>

function ProtocolTag({ protocol }: { protocol: Protocol }) {
  const name = protocol.type.toUpperCase()
  const detail = icmpDetail(protocol)
  return detail ? <Tag kind={name}>{detail}</Tag> : <Tag>{name}</Tag>
}

interface Item {
  key: string
  text: string
  tag: React.ReactNode
}

const hostItem = (host: Host): Item => ({
  key: hostText(host),
  text: hostText(host),
  tag: <HostTag host={host} />,
})

/** One or two are shown; of more only the first, and the others are listed on demand. */
function Tags({ items, caption }: { items: readonly Item[]; caption: string }) {
  if (items.length === 0) return <EmptyCell />
  return <TagList items={items} max={items.length <= 2 ? 2 : 1} caption={caption} />
}

export const TargetTags = ({ rule }: { rule: Rule }) => (
  <Tags items={rule.targets.map(hostItem)} caption="Other targets" />
)

/** Hosts first, then protocols, then ports. */
export function FilterTags({ rule: { filters } }: { rule: Rule }) {
  const items: Item[] = [
    ...(filters.hosts ?? []).map(hostItem),
    ...(filters.protocols ?? []).map((protocol) => ({
      key: protocolText(protocol),
      text: protocolText(protocol),
      tag: <ProtocolTag protocol={protocol} />,
    })),
    ...(filters.ports ?? []).map((range) => ({
      key: `Port ${range}`,
      text: `Port ${range}`,
      tag: <Tag kind="Port">{range}</Tag>,
    })),
  ]
  return <Tags items={items} caption="Other filters" />
}
