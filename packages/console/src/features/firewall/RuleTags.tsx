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
 * Hosts, protocols, ports. If there are more than two, shows a protocol and a port, and hosts collapse first, because
 * they are longest.
 */
export function FilterTags({ rule: { filters } }: { rule: Rule }) {
  const hosts: Item[] = (filters.hosts ?? []).map(hostItem)
  const protocols: Item[] = (filters.protocols ?? []).map((protocol) => ({
    key: protocolText(protocol),
    text: protocolText(protocol),
    tag: <ProtocolTag protocol={protocol} />,
  }))
  const ports: Item[] = (filters.ports ?? []).map((range) => ({
    key: `Port ${range}`,
    text: `Port ${range}`,
    tag: <Tag kind="Port">{range}</Tag>,
  }))
  const all = [...hosts, ...protocols, ...ports]
  if (all.length === 0) return <EmptyCell />
  const shownFirst = [...protocols.slice(0, 1), ...ports.slice(0, 1)]
  const items = all.length > 2 ? [...shownFirst, ...protocols.slice(1), ...ports.slice(1), ...hosts] : all
  return <TagList items={items} max={2} caption="Other filters" />
}
