import { Tag, TagList } from '#/ui/Tag.tsx'
import { EmptyCell } from '#/ui/Truncate.tsx'
import type { Host, Protocol, Rule } from './rule.ts'
import { hostText, hostWords, icmpDetail, protocolText } from './words.ts'

export const HostTag = ({ host: { type, value } }: { host: Host }) => (
  <Tag kind={hostWords[type]}>{value}</Tag>
)

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

/** Shows one or two. Of more, shows only the first; the others are in a tooltip. */
export function TargetTags({ rule: { targets } }: { rule: Rule }) {
  if (targets.length === 0) return <EmptyCell />
  return <TagList items={targets.map(hostItem)} max={targets.length <= 2 ? 2 : 1} caption="Other targets" />
}

/**
 * Hosts first, then protocols, then ports. If there are more than two, hosts collapse first, because they are
 * longest.
 */
export function FilterTags({ rule: { filters } }: { rule: Rule }) {
  const hosts: Item[] = (filters.hosts ?? []).map(hostItem)
  const others: Item[] = [
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
  const items = hosts.length + others.length > 2 ? [...others, ...hosts] : [...hosts, ...others]
  return items.length === 0 ? <EmptyCell /> : <TagList items={items} max={2} caption="Other filters" />
}
