import path from 'node:path'
import { mkdir, writeFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { hostCommand } from '../host/host-command.ts'
import { endProcesses, findProcesses, type FoundProcess, startDaemon } from './processes.ts'

/**
 * How the driver runs commands where the links of all VPCs end, and in the namespaces of VPCs. For root, the links end
 * on the host itself; for an ordinary user, in a namespace that pasta connects to the host.
 */
export interface HostAccess {
  isRoot: boolean
  /** The words before a command that run it where the links end. */
  host: readonly string[]
  /** The words before a command that run it in a namespace. */
  inside: (namespace: string) => readonly string[]
  /** A resolver where the links end; undefined if the driver must run one. */
  resolver: { address: string; port: number } | undefined
  /** Addresses of the host that the namespace of an ordinary user does not have. */
  hidden: () => string[]
}

/** `hostNamespace` replaces the host's own namespace. */
export function rootAccess(hostNamespace?: string): HostAccess {
  const enter = (namespace: string) => ['nsenter', `--net=/run/netns/${namespace}`, '--']
  return {
    isRoot: true,
    host: hostNamespace === undefined ? [] : enter(hostNamespace),
    inside: enter,
    resolver: undefined,
    hidden: () => [],
  }
}

/** The addresses of pasta's link. */
const pasta = { own: '169.254.9.2', gateway: '169.254.9.1', resolver: '169.254.9.9', width: '30' }
/** The name of pasta's link in the namespace. */
const PASTA_LINK = 'out'

/** Finds or creates the namespaces of this folder. They end with their holder, and all networks with them. */
export async function userAccess(folder: string): Promise<HostAccess> {
  await mkdir(folder, { recursive: true })
  const holder = holderFile(folder)
  const pid = (await holderOf(holder)) ?? (await hold(holder))
  const access: HostAccess = {
    isRoot: false,
    host: insideOf(pid),
    inside: (namespace) => [...enter(pid), `--net=/proc/${pid}/root/run/netns/${namespace}`, '--'],
    resolver: { address: pasta.resolver, port: 53 },
    hidden: () =>
      Object.values(networkInterfaces()).flatMap((list) =>
        (list ?? []).filter(({ family }) => family === 'IPv4').map(({ address }) => address),
      ),
  }
  await connect(access, pastaFile(folder), pid)
  return access
}

const enter = (holder: number): string[] => [
  'nsenter',
  `--target=${holder}`,
  '--user',
  '--preserve-credentials',
]
/** The words before a command that run it in the namespaces of a holder. */
export const insideOf = (holder: number): string[] => [...enter(holder), '--net', '--mount', '--']

/** The word in the command line of the process that holds an ordinary user's namespaces. */
export const holderFile = (folder: string): string => path.join(folder, 'holder')
const pastaFile = (folder: string): string => path.join(folder, 'pasta.pid')
/** A word in the command line of each process that holds and connects an ordinary user's networks. */
export const userProcesses = (folder: string): string[] => [holderFile(folder), pastaFile(folder)]

/** Starts a process that holds a user namespace, with a network and a mount namespace in which `ip netns` works. */
async function hold(holder: string): Promise<number> {
  await writeFile(holder, '')
  const script = 'mount -t tmpfs tmpfs /run && mkdir /run/netns && ip link set lo up && exec tail -f "$1"'
  return startDaemon(
    ['unshare', '--user', '--map-root-user', '--net', '--mount', 'sh', '-c', script, 'sh', holder],
    { isReady: async (pid) => (await holderOf(holder)) === pid },
  )
}

/** The script becomes `tail` once the namespaces are ready. */
async function holderOf(holder: string): Promise<number | undefined> {
  const found = await findProcesses((word) => word === holder)
  return found.find(({ words }) => words[0] === 'tail')?.pid
}

/** Connects the namespace to the host. A pasta of an earlier holder would keep that one's namespace. */
async function connect(access: HostAccess, pidFile: string, target: number): Promise<void> {
  const running = await findProcesses((word) => word === pidFile)
  const isOurs = ({ words }: FoundProcess): boolean => words.includes(String(target))
  await endProcesses(running.filter((one) => !isOurs(one)))
  if (running.some(isOurs)) return
  const options = [
    ['--foreground', '--quiet', '--ipv4-only', '--config-net', '--ns-ifname', PASTA_LINK],
    ['--address', pasta.own, '--netmask', pasta.width, '--gateway', pasta.gateway],
    // Guests must not reach the host's own services.
    ['--no-map-gw', '--dns-forward', pasta.resolver, '--no-dhcp'],
    ['--tcp-ports', 'none', '--udp-ports', 'none', '--tcp-ns', 'none', '--udp-ns', 'none'],
    ['--pid', pidFile, String(target)],
  ]
  await startDaemon(['pasta', ...options.flat()], {
    isReady: async () => {
      const routes = await hostCommand([...access.host, 'ip', '-4', 'route', 'show', 'default'])
      return routes.includes(PASTA_LINK)
    },
  })
}
