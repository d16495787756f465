import { readForwarding, forwardedByTag, type Forwarding } from './forwarding.ts'
import { type IpLink, ipList, type IpRoute } from './ip.ts'
import { folderOfAlias, namesOf, readNamespace, tagOfLink, tagOfTable } from './names.ts'
import { ipTables } from './nft.ts'
import { hostCommand } from '../host/host-command.ts'

/** The state of a host's network, including other installations. */
export interface NetworkFacts {
  links: readonly { name: string; alias?: string | undefined }[]
  /** To single addresses, and to the blocks of installations. */
  routes: readonly { address: string; device: string }[]
  /** Addresses that the host answers for. */
  answers: readonly { address: string; device: string }[]
  tables: readonly string[]
  namespaces: readonly string[]
  forwarding: Forwarding
  /** The interfaces on which each installation enabled forwarding. */
  forwarded: ReadonlyMap<string, readonly string[]>
}

export async function readNetwork(host: readonly string[]): Promise<NetworkFacts> {
  const [links = [], routes = [], answers = []] = await ipList(host, [
    'link show',
    'route show table main',
    'neigh show proxy',
  ])
  const placed = (list: readonly unknown[]) =>
    (list as IpRoute[]).map(({ dst, dev = '' }) => ({ address: dst, device: dev }))
  const namespaces = await hostCommand([...host, 'ip', 'netns', 'list'])
  return {
    links: (links as IpLink[]).map(({ ifname, ifalias }) => ({ name: ifname, alias: ifalias })),
    routes: placed(routes),
    answers: placed(answers),
    tables: await ipTables(host),
    namespaces: namespaces.split('\n').flatMap((line) => line.split(' ')[0] || []),
    forwarding: await readForwarding(host),
    forwarded: await forwardedByTag(host),
  }
}

/** An installation with leftovers on the host. */
export interface Installation {
  tag: string
  /** Where its records are or were; earlier versions did not say. */
  folder?: string | undefined
}

/** Every installation that has a device or a table of rules on the host. */
export function installationsOn({ links, tables }: Pick<NetworkFacts, 'links' | 'tables'>): Installation[] {
  const found = new Map<string, Installation>()
  for (const { name, alias } of links) {
    const tag = tagOfLink(name)
    if (tag === undefined) continue
    const folder = name === namesOf(tag).sinkDevice ? folderOfAlias(alias) : undefined
    found.set(tag, { tag, folder: folder ?? found.get(tag)?.folder })
  }
  for (const table of tables) {
    const tag = tagOfTable(table)
    if (tag !== undefined && !found.has(tag)) found.set(tag, { tag })
  }
  return [...found.values()].sort((one, other) => (one.tag < other.tag ? -1 : 1))
}

/** What an installation saved about the host; absent if its folder is missing or cannot be read. */
export interface Kept {
  interface?: string | undefined
  proxied: readonly string[]
  forwarded: readonly string[]
}

export interface NetworkCleaning {
  /** Interfaces that stop forwarding packets. */
  forwarding: string[]
  /** Interfaces that keep forwarding packets for other installations. */
  forwardingOfOthers: string[]
  answers: { address: string; device: string }[]
  namespaces: string[]
  /** Links of VPCs, with the routes to them. */
  links: string[]
  routes: string[]
  table: string | undefined
  /** The device that names the installation. It is removed last, so that an interrupted cleaning can resume. */
  device: string | undefined
}

/** The parts that belong to an installation and that no other one needs. */
export function networkCleaning(
  { tag }: Installation,
  facts: NetworkFacts,
  kept: Kept | undefined,
): NetworkCleaning {
  const names = namesOf(tag)
  const isOwn = (device: string): boolean => tagOfLink(device) === tag
  const links = facts.links.map(({ name }) => name).filter(isOwn)
  const routes = facts.routes.filter(({ device }) => isOwn(device)).map(({ address }) => address)
  const ofOthers = new Set(facts.routes.filter(({ device }) => !isOwn(device)).map(({ address }) => address))
  const isAnswered = ({ address, device }: { address: string; device: string }): boolean =>
    // Without a saved record the routes decide: an address that the host answers for has a route to a device.
    !ofOthers.has(address) &&
    (routes.includes(address) || (kept?.interface === device && kept.proxied.includes(address)))

  const { isRouter, on } = facts.forwarding
  const own = new Set([...(kept?.forwarded ?? []), ...(facts.forwarded.get(tag) ?? [])])
  const needed = new Set([...facts.forwarded].filter(([other]) => other !== tag).flatMap(([, list]) => list))
  const changed = isRouter ? [] : on.filter((name) => own.has(name))
  return {
    forwarding: changed.filter((name) => !needed.has(name)),
    forwardingOfOthers: changed.filter((name) => needed.has(name)),
    answers: facts.answers.filter(isAnswered),
    namespaces: facts.namespaces.filter((name) => readNamespace(tag, name)),
    links: links.filter((name) => name !== names.sinkDevice),
    routes,
    table: facts.tables.find((name) => name === names.table),
    device: links.find((name) => name === names.sinkDevice),
  }
}
