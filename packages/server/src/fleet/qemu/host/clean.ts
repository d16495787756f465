import fs from 'node:fs/promises'
import path from 'node:path'
import { unlessMissing } from '#src/blocks/block-files-io'
import { type DataDirLock, lockDataDir } from '#src/database/data-dir-lock'
import { Problem, sentence } from '#src/problem'
import { machineOf } from '../machine/arguments.ts'
import { mountedGroups } from './control-groups.ts'
import { readIfThere } from './durable-file.ts'
import { HOST_FOLDER, networksFolder, tagFile, USER_FOLDER } from './folders.ts'
import { hostCommand } from './host-command.ts'
import { endProcess, identityOf } from './processes.ts'
import { folderOfDnsmasq } from '../network/dnsmasq.ts'
import { holderFile, insideOf, userProcesses } from '../network/host-access.ts'
import { savedOnHost } from '../network/saved-host.ts'
import { ipBatch, type IpLink, ipList, setKernel } from '../network/ip.ts'
import {
  type Installation,
  installationsOn,
  networkCleaning,
  type NetworkCleaning,
  type NetworkFacts,
  readNetwork,
} from '../network/leftovers.ts'
import { namesOf } from '../network/names.ts'
import { endProcesses, findProcesses, type FoundProcess } from '../network/processes.ts'

/*
 * Removes what an installation left on its host. It is found by its tag, which is part of all its names, and by its
 * folder, which the command lines of its processes name.
 */

export interface CleanOptions {
  /** The folder of the driver, in the data directory. */
  folder: string
  /** Selects the installation by its tag instead. */
  tag?: string | undefined
  /** Replaces the host's own network namespace. */
  hostNamespace?: string
}

/** Everything that is removed. */
export interface Cleaning {
  installation: Installation
  network: NetworkCleaning
  machines: readonly FoundProcess[]
  /** Processes of dnsmasq, which serve addresses and names. */
  servers: readonly FoundProcess[]
  /** Processes that hold the networks of an ordinary user. */
  holders: readonly FoundProcess[]
  /** Control groups, each before its parent. */
  groups: readonly string[]
}

/** Removes what is left of an installation once `confirm` has agreed to it; no server runs meanwhile. */
export async function cleanHost(
  options: CleanOptions,
  confirm: (found: Cleaning) => Promise<boolean>,
): Promise<void> {
  const host = options.hostNamespace ? ['nsenter', `--net=/run/netns/${options.hostNamespace}`, '--'] : []
  const isRoot = process.getuid?.() === 0
  // The networks of an ordinary user are in namespaces that end with their holder.
  const look = isRoot ? () => readNetwork(host) : async () => noNetwork
  const facts = await sentence(look())
  const links = isRoot ? facts.links : await linksOfUser(options.folder)
  const installation = await targetOf(options, installationsOn({ ...facts, links }))
  if (!isRoot) await refuseIfRootOwnsIt(installation)
  const lock = await lockOf(installation)
  try {
    const found = await cleaningOf(installation, facts)
    if (lock && found.machines.length > 0)
      throw new Problem(
        `Machines still run: ${found.machines.length}. Shut them down first by gantry fleet shut-down.`,
      )
    if (!(await confirm(found))) return
    // Confirmation takes time, and the number of a process that has ended may belong to another one by now.
    await sentence(remove(await cleaningOf(installation, await sentence(look())), host))
    const left = linesOf(await cleaningOf(installation, await look()))
    if (left.length > 0) throw new Problem(`Some of it is still there:\n${left.join('\n')}`)
  } finally {
    await lock?.release()
  }
}

/** The installation by the records in the folder, or without them by the state of the host. */
async function targetOf(
  { folder, tag }: CleanOptions,
  installations: readonly Installation[],
): Promise<Installation> {
  if (tag !== undefined) return installations.find((one) => one.tag === tag) ?? { tag }
  const own = await tagIn(folder)
  if (own !== undefined) return { tag: own, folder }
  const former = installations.filter((one) => one.folder === folder)
  if (former.length === 1 && former[0]) return former[0]
  const all = installations.map((one) => `  ${one.tag}  ${one.folder ?? 'of an earlier version'}`)
  throw new Problem(
    [
      `${folder} holds no installation with real machines${former.length > 1 ? ', and was that of several' : ''}.`,
      ...(all.length === 0
        ? ['This host has nothing of any.']
        : ['Name one by --tag. This host has:', ...all]),
    ].join('\n'),
  )
}

const tagIn = async (folder: string): Promise<string | undefined> =>
  (await readIfThere(tagFile(folder)))?.trim() || undefined

/** The links in an ordinary user's namespaces, whose names have the installation's tag. */
async function linksOfUser(folder: string): Promise<NetworkFacts['links']> {
  const file = holderFile(path.join(networksFolder(folder), USER_FOLDER))
  const holder = (await findProcesses((word) => word === file)).find(({ words }) => words[0] === 'tail')
  if (!holder) return []
  const [links = []] = await ipList(insideOf(holder.pid), ['link show'])
  return (links as IpLink[]).map(({ ifname, ifalias }) => ({ name: ifname, alias: ifalias }))
}

const noNetwork: NetworkFacts = {
  links: [],
  routes: [],
  answers: [],
  tables: [],
  namespaces: [],
  forwarding: { isRouter: false, on: [], off: [] },
  forwarded: new Map(),
}

async function refuseIfRootOwnsIt({ tag }: Installation): Promise<void> {
  const [links = []] = await sentence(ipList([], ['link show']))
  if ((links as IpLink[]).some(({ ifname }) => ifname === namesOf(tag).sinkDevice))
    throw new Problem('The server of this installation ran as root: run this as root too.')
}

/** The lock that a server of the installation holds; undefined if its folder is missing or belongs to another one. */
async function lockOf({ tag, folder }: Installation): Promise<DataDirLock | undefined> {
  if (folder === undefined || (await tagIn(folder)) !== tag) return undefined
  return sentence(lockDataDir(folder))
}

async function cleaningOf(installation: Installation, facts: NetworkFacts): Promise<Cleaning> {
  const { tag } = installation
  const kept = installation.folder === undefined ? undefined : await savedStateOf(installation.folder, tag)
  const network = networkCleaning(installation, facts, kept)
  const inside = new Set(
    (
      await Promise.all(
        network.namespaces.map((name) => hostCommand(['ip', 'netns', 'pids', name]).catch(() => '')),
      )
    ).flatMap((text) => text.split('\n').map(Number)),
  )
  const all = await findProcesses((word) => word !== '')
  const serversInside = all.filter(
    ({ pid, words }) => inside.has(pid) && folderOfDnsmasq(words) !== undefined,
  )
  // The host's own resolver is in no namespace; its folder identifies it.
  const folders = new Set([
    ...(installation.folder === undefined ? [] : [networksFolder(installation.folder)]),
    ...serversInside.flatMap(({ words }) => folderOfDnsmasq(words) ?? []),
  ])
  for (const networks of folders) {
    const owner = await tagIn(path.dirname(networks))
    if (owner !== undefined && owner !== tag) folders.delete(networks)
  }
  const isServer = ({ pid, words }: FoundProcess): boolean => {
    const folder = folderOfDnsmasq(words)
    return folder !== undefined && (inside.has(pid) || folders.has(folder))
  }
  const holderWords = new Set([...folders].flatMap((one) => userProcesses(path.join(one, USER_FOLDER))))
  return {
    installation,
    network,
    machines: all.filter(({ words }) => machineOf(tag, words) !== undefined),
    servers: all.filter(isServer),
    holders: all.filter(({ words }) => words.some((word) => holderWords.has(word))),
    groups: await groupsOf(tag),
  }
}

async function savedStateOf(folder: string, tag: string) {
  if ((await tagIn(folder)) !== tag) return undefined
  // Without it the routes suffice nearly always, and its damage may be the reason for the cleaning.
  return savedOnHost(path.join(networksFolder(folder), HOST_FOLDER)).catch(() => undefined)
}

async function groupsOf(tag: string): Promise<string[]> {
  const mount = await mountedGroups()
  if (mount === undefined) return []
  const own = path.join(mount, `gantry-${tag}`)
  const entries = await unlessMissing(fs.readdir(own, { withFileTypes: true }))
  if (!entries) return []
  return [...entries.filter((one) => one.isDirectory()).map(({ name }) => path.join(own, name)), own]
}

/** Removes first what lets packets through, and last the device that names the installation. */
async function remove(found: Cleaning, host: readonly string[]): Promise<void> {
  const { network, machines, servers, holders, groups } = found
  await setKernel(
    host,
    Object.fromEntries(network.forwarding.map((name) => [`ipv4/conf/${name}/forwarding`, '0'])),
  )
  await ipBatch(
    host,
    network.answers.map(({ address, device }) => `neigh del proxy ${address} dev ${device}`),
  )
  for (const { pid } of machines) {
    const one = await identityOf(pid)
    if (one) await endProcess(one)
  }
  await endProcesses(servers)
  await endProcesses(holders)
  await ipBatch(
    host,
    network.links.map((name) => `link del ${name}`),
  )
  for (const name of network.namespaces) await hostCommand([...host, 'ip', 'netns', 'del', name])
  if (network.table !== undefined) await hostCommand([...host, 'nft', 'delete', 'table', 'ip', network.table])
  if (network.device !== undefined) await ipBatch(host, [`link del ${network.device}`])
  for (const group of groups) await unlessMissing(fs.rmdir(group))
}

/** Everything that is removed, for the terminal. */
export function linesOf({ network, machines, servers, holders, groups }: Cleaning): string[] {
  const line = (what: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`  ${what.padEnd(24)}${items.join(', ')}`]
  const pids = (list: readonly FoundProcess[]): string[] => list.map(({ pid }) => String(pid))
  return [
    ...line('stop forwarding on', network.forwarding),
    ...line(
      'stop answering for',
      network.answers.map(({ address, device }) => `${address} on ${device}`),
    ),
    ...line('end running machines', pids(machines)),
    ...line('end DHCP and DNS', pids(servers)),
    ...line('end networks of a user', pids(holders)),
    ...line('remove routes', network.routes),
    ...line('remove links', network.links),
    ...line('remove namespaces', network.namespaces),
    ...line('remove rules', network.table === undefined ? [] : [`table ip ${network.table}`]),
    ...line('remove device', network.device === undefined ? [] : [network.device]),
    ...line('remove control groups', groups),
  ]
}
