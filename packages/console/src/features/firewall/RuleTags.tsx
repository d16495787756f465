import { Tag, TagList } from '#/ui/data/Tag.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { useMedia } from '#/ui/use-media.ts'
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

/** A column of the rail, and the table's other columns, leave room for a network beside a protocol and a port. */
const roomForHosts = '(min-width: 90rem)'

/**
 * Hosts, protocols, ports. If there are more than fit, shows one of each kind, and hosts collapse first in a narrow
 * window, because they are longest.
 */
export function FilterTags({ rule: { filters } }: { rule: Rule }) {
  const isWide = useMedia(roomForHosts)
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
  const max = isWide ? 3 : 2
  const shownFirst = [...hosts.slice(0, isWide ? 1 : 0), ...protocols.slice(0, 1), ...ports.slice(0, 1)]
  const rest = [...protocols, ...ports, ...hosts].filter((item) => !shownFirst.includes(item))
  return (
    <TagList items={all.length > max ? [...shownFirst, ...rest] : all} max={max} caption="Other filters" />
  )
}
