import { HostCommandFailed } from '../host/host-command.ts'
import type { HostNames, HostState } from './host-rules.ts'
import { ipAttempts, ipBatch, ipList, type IpRoute } from './ip.ts'
import { hostAddress } from './plan.ts'

/** Where packets to an address go. */
interface RouteTarget {
  dev: string
  via?: string
}
type Route = readonly [ip: string, target: RouteTarget]

/** What uses an address on this host that a VPC should have: the device of its route. */
export interface AddressHolder {
  device: string
  /** It is an address of the host itself. */
  isHost?: true
}

interface ExistingRoutes {
  /** To links or the sink device of this installation. */
  own: ReadonlyMap<string, RouteTarget>
  /** Addresses in use otherwise on this host. */
  others: ReadonlyMap<string, AddressHolder>
}

/** The routes to all links and to the addresses behind them. */
export class HostRoutes {
  readonly #host: readonly string[]
  readonly #names: HostNames
  /** The source of packets that the host itself sends. */
  readonly #source: string
  /** The last ones set; unknown at the start, after a failure, and when the host's routes differ. */
  #routes: ReadonlyMap<string, RouteTarget> | undefined
  #refused: ReadonlyMap<string, AddressHolder> = new Map()

  constructor(host: readonly string[], names: HostNames, base: number) {
    this.#host = host
    this.#names = names
    this.#source = hostAddress(base)
  }

  /** Wanted addresses that were already in use on this host at the last `reconcile`. */
  get refused(): ReadonlyMap<string, AddressHolder> {
    return this.#refused
  }

  /** Makes the next `reconcile` restore routes that were removed, and take addresses that have been released. */
  async check(): Promise<void> {
    if (!this.#routes) return
    const { own, others } = await this.#existing()
    const isThere = ([ip, target]: Route): boolean => isSameTarget(own.get(ip), target)
    const isTaken = ([ip, holder]: readonly [string, AddressHolder]): boolean =>
      others.get(ip)?.device === holder.device
    if (![...this.#routes].every(isThere) || ![...this.#refused].every(isTaken)) this.#routes = undefined
  }

  /** Routes to ignored links stay. */
  async reconcile(state: HostState, ignored: ReadonlySet<string>): Promise<void> {
    const wanted = routesOf(state, this.#names.sinkDevice)
    if (this.#areSet(wanted)) return

    const existing = await this.#existing()
    const { replaced, removed, added } = routeChanges(wanted, existing, ignored)
    this.#routes = undefined
    await ipBatch(this.#host, [
      ...replaced.map((route) => `route replace ${this.#line(route)}`),
      ...removed.map(([ip, { dev }]) => `route del ${ip} dev ${dev}`),
    ])
    // The kernel refuses to add a second route to an address: of two installations, one gets it.
    await ipAttempts(
      this.#host,
      added.map((route) => `route add ${this.#line(route)}`),
    )
    const after = added.length > 0 ? await this.#existing() : existing
    const failed = added.find(([ip]) => !after.own.has(ip) && !after.others.has(ip))
    if (failed) throw new HostCommandFailed(`the host did not take the route ${this.#line(failed)}`)
    this.#refused = refusedOf(wanted, after)
    this.#routes = new Map([...wanted].filter(([ip]) => !this.#refused.has(ip)))
  }

  /** The addresses routed to each device of this installation. */
  async addresses(): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>()
    for (const [ip, { dev }] of (await this.#existing()).own) found.set(dev, [...(found.get(dev) ?? []), ip])
    return found
  }

  #areSet(wanted: ReadonlyMap<string, RouteTarget>): boolean {
    const known = this.#routes
    if (!known) return false
    const isSet = (ip: string): boolean =>
      this.#refused.has(ip) || isSameTarget(wanted.get(ip), known.get(ip))
    return (
      [...wanted.keys(), ...known.keys()].every(isSet) &&
      [...this.#refused.keys()].every((ip) => wanted.has(ip))
    )
  }

  #line([ip, { dev, via }]: Route): string {
    if (dev === this.#names.sinkDevice) return `${ip} dev ${dev}`
    const source = `src ${this.#source}`
    return via === undefined ? `${ip} dev ${dev} ${source}` : `${ip} via ${via} dev ${dev} onlink ${source}`
  }

  async #existing(): Promise<ExistingRoutes> {
    const [routes = [], local = []] = await ipList(this.#host, [
      'route show table main',
      'route show table local type local',
    ])
    return existingRoutes(routes as IpRoute[], local as IpRoute[], this.#names)
  }
}

const isSameTarget = (one: RouteTarget | undefined, other: RouteTarget | undefined): boolean =>
  one?.dev === other?.dev && one?.via === other?.via

function routesOf({ links, external, shares }: HostState, sinkDevice: string): Map<string, RouteTarget> {
  const routes = new Map<string, RouteTarget>()
  for (const { ip } of shares.values()) routes.set(ip, { dev: sinkDevice })
  for (const { name, address } of links) routes.set(address, { dev: name })
  for (const [ip, { link, via }] of [...external, ...shares]) routes.set(ip, { dev: link, via })
  return routes
}

function existingRoutes(
  routes: readonly IpRoute[],
  local: readonly IpRoute[],
  { links, sinkDevice }: HostNames,
): ExistingRoutes {
  const isOwn = ({ dev = '' }: IpRoute): boolean => dev.startsWith(links) || dev === sinkDevice
  const single = (list: readonly IpRoute[]): IpRoute[] => list.filter(({ dst }) => !dst.includes('/'))
  const foreign = (list: readonly IpRoute[]): IpRoute[] => single(list).filter((route) => !isOwn(route))
  return {
    own: new Map(
      single(routes)
        .filter(isOwn)
        .map(({ dst, dev = '', gateway }) => [dst, gateway === undefined ? { dev } : { dev, via: gateway }]),
    ),
    others: new Map<string, AddressHolder>([
      ...foreign(routes).map(({ dst, dev = '' }) => [dst, { device: dev }] as const),
      ...foreign(local).map(({ dst, dev = '' }) => [dst, { device: dev, isHost: true }] as const),
    ]),
  }
}

function routeChanges(
  wanted: ReadonlyMap<string, RouteTarget>,
  { own, others }: ExistingRoutes,
  ignored: ReadonlySet<string>,
): { replaced: Route[]; removed: Route[]; added: Route[] } {
  const missing = [...wanted].filter(([ip, target]) => !isSameTarget(own.get(ip), target))
  return {
    replaced: missing.filter(([ip]) => own.has(ip)),
    removed: [...own].filter(([ip, { dev }]) => !wanted.has(ip) && !ignored.has(dev)),
    added: missing.filter(([ip]) => !own.has(ip) && !others.has(ip)),
  }
}

function refusedOf(
  wanted: ReadonlyMap<string, RouteTarget>,
  { own, others }: ExistingRoutes,
): Map<string, AddressHolder> {
  return new Map(
    [...wanted.keys()].flatMap((ip) => {
      const holder = others.get(ip)
      // The kernel consults its local table first.
      return holder && (holder.isHost || !own.has(ip)) ? [[ip, holder] as const] : []
    }),
  )
}
