import { linkLocal } from '../ipv4.ts'
import { type Link, linksOf } from '../system.ts'
import { type CommandContext, type CommandResult, type Commands, fail, print } from './command.ts'

export const networkCommands: Commands = {
  ip: { summary: 'addresses, links and routes (ip addr, ip link, ip route)', run: ip },
}

type IpObject = (links: Link[], device: string | undefined) => CommandResult

const objects: Record<string, IpObject> = { address, link, route }

function ip({ facts }: CommandContext, args: readonly string[]): CommandResult {
  const [object = '', ...rest] = args
  // Any prefix of an object's name is accepted, as in `ip a`.
  const name = Object.keys(objects).find((known) => object !== '' && known.startsWith(object))
  const show = name === undefined ? undefined : objects[name]
  if (!show) return fail('Usage: ip { addr | link | route }')
  const words = /^s(how)?$|^l(s|ist)?$/.test(rest[0] ?? '') ? rest.slice(1) : rest
  return show(linksOf(facts), words[0] === 'dev' ? words[1] : words[0])
}

function address(links: Link[], device: string | undefined): CommandResult {
  return describe(links, device, true)
}

function link(links: Link[], device: string | undefined): CommandResult {
  return describe(links, device, false)
}

function route(links: Link[]): CommandResult {
  const routed = links.flatMap((each) => (each.ipv4 ? [{ ...each, ipv4: each.ipv4 }] : []))
  const primary = routed.find(({ is_primary }) => is_primary)
  return print(
    ...(primary
      ? [`default via ${primary.ipv4.gateway} dev ${primary.device} proto dhcp src ${primary.ip}`]
      : []),
    ...routed.map(({ device, ip, prefix_length, ipv4 }) => {
      return `${ipv4.network}/${prefix_length} dev ${device} proto kernel scope link src ${ip}`
    }),
  )
}

function describe(links: Link[], device: string | undefined, withAddresses: boolean): CommandResult {
  const entries: [string, string[]][] = [
    ['lo', loopback(withAddresses)],
    ...links.map((each, index): [string, string[]] => [
      each.device,
      ethernet(each, index + 2, withAddresses),
    ]),
  ]
  const shown = entries.filter(([name]) => device === undefined || name === device)
  return shown.length > 0
    ? print(...shown.flatMap(([, lines]) => lines))
    : fail(`Device "${device}" does not exist.`)
}

const FOREVER = '       valid_lft forever preferred_lft forever'

function loopback(withAddresses: boolean): string[] {
  const lines = [
    '1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000',
    '    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00',
  ]
  const addresses = [
    '    inet 127.0.0.1/8 scope host lo',
    FOREVER,
    '    inet6 ::1/128 scope host noprefixroute',
    FOREVER,
  ]
  return withAddresses ? [...lines, ...addresses] : lines
}

function ethernet(link: Link, number: number, withAddresses: boolean): string[] {
  const { device, mac, ip, prefix_length, ipv4, ipv6, mtu } = link
  const lines = [
    `${number}: ${device}: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu ${mtu} qdisc fq_codel state UP group default qlen 1000`,
    `    link/ether ${mac} brd ff:ff:ff:ff:ff:ff`,
  ]
  if (!withAddresses) return lines
  const own = ipv4
    ? `    inet ${ip}/${prefix_length} brd ${ipv4.broadcast} scope global dynamic ${device}`
    : `    inet6 ${ip}/${prefix_length} scope global dynamic`
  const local = linkLocal(mac)
  const second = ipv6 ? [`    inet6 ${ipv6}/64 scope global dynamic`, FOREVER] : []
  return [...lines, own, FOREVER, ...second, ...(local ? [`    inet6 ${local}/64 scope link`, FOREVER] : [])]
}
