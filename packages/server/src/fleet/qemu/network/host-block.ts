import { formatIpv4, parseIpv4 } from '@gantry/control-plane/modules/network/addresses/ip'
import { HostCommandFailed } from '../host/host-command.ts'
import { ipBatch, type IpLink, ipList, type IpRoute } from './ip.ts'
import { hostAddress } from './plan.ts'
import { type Span, spanOf } from './spans.ts'

/** Carrier-grade NAT, in whose 64 networks of this width the driver takes a free one for links (RFC 6598). */
const candidates = { first: parseIpv4('100.64.0.0') ?? 0, count: 64, size: 2 ** 16, width: 16 }
/** A wider route leads out of the host; only narrower ones are networks in use. */
const widest = 2 ** 24

interface IpAddresses {
  addr_info?: { family?: string; local?: string; prefixlen?: number }[]
}

/** Whether an address is in the driver's own block. */
export const isInBlock = (base: number, ip: string): boolean => {
  const number = parseIpv4(ip) ?? 0
  return number >= base && number < base + candidates.size
}

/**
 * The block of this installation. Its device has the host's own address, and receives packets to unused addresses. The
 * route reserves the block, because adding an existing route fails.
 */
export async function claimBlock(
  host: readonly string[],
  sinkDevice: string,
  before: number | undefined,
): Promise<{ base: number; isNew: boolean }> {
  const [links = [], routes = [], addresses = []] = await ipList(host, [
    'link show',
    'route show table all',
    'addr show',
  ])
  const has = (links as IpLink[]).some(({ ifname }) => ifname === sinkDevice)
  const own = (routes as IpRoute[]).find(
    ({ dst, dev }) => dev === sinkDevice && dst.endsWith(`/${candidates.width}`),
  )
  if (has && own) {
    const { first } = spanOf(own.dst)
    await ipBatch(host, [addressLine(first, sinkDevice)])
    return { base: first, isNew: false }
  }
  await ipBatch(host, [
    ...(has ? [`link del ${sinkDevice}`] : []),
    `tuntap add dev ${sinkDevice} mode tun`,
    `link set ${sinkDevice} up`,
  ])

  const others = (routes as IpRoute[]).filter(({ dev }) => dev !== sinkDevice)
  for (const base of freeBases(before, usedSpans(others, addresses as IpAddresses[])))
    if (await reserve(host, sinkDevice, base)) return { base, isNew: !has }
  throw new HostCommandFailed(
    'Every network of 100.64.0.0/10 is used on this host, and VPCs need one of them. What installations that are gone ' +
      'have left goes by `gantry fleet clean`.',
  )
}

const addressLine = (base: number, sinkDevice: string): string =>
  `addr replace ${hostAddress(base)}/32 dev ${sinkDevice}`

/** False if another installation has taken the block in the meantime. */
async function reserve(host: readonly string[], sinkDevice: string, base: number): Promise<boolean> {
  try {
    await ipBatch(host, [
      `route add ${formatIpv4(base)}/${candidates.width} dev ${sinkDevice}`,
      addressLine(base, sinkDevice),
    ])
    return true
  } catch (error) {
    if (!(error instanceof HostCommandFailed) || !error.message.includes('File exists')) throw error
    return false
  }
}

/** Networks that the host uses. */
const usedSpans = (routes: readonly IpRoute[], addresses: readonly IpAddresses[]): Span[] =>
  [
    ...routes.filter(({ dst }) => /^[\d./]+$/.test(dst)).map(({ dst }) => spanOf(dst)),
    ...addresses.flatMap(({ addr_info = [] }) =>
      addr_info
        .filter(({ family }) => family === 'inet')
        .map(({ local, prefixlen }) => spanOf(`${local}/${prefixlen}`)),
    ),
  ].filter(({ first, last }) => last - first < widest)

/** The block used before, if any, comes first. */
function freeBases(before: number | undefined, used: readonly Span[]): number[] {
  const all = Array.from({ length: candidates.count }, (_, n) => candidates.first + n * candidates.size)
  const ordered = before === undefined ? all : [before, ...all.filter((base) => base !== before)]
  const isFree = (base: number): boolean =>
    !used.some((span) => overlap(span, { first: base, last: base + candidates.size - 1 }))
  return ordered.filter(isFree)
}

const overlap = (one: Span, other: Span): boolean => one.first <= other.last && other.first <= one.last
