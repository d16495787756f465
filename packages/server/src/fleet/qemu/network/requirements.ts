import { access, constants } from 'node:fs/promises'
import { hostCommand, type HostProgram } from '../host/host-command.ts'
import { hostRules } from './host-rules.ts'
import { interfacesOf, whyNotExternal } from './host-interfaces.ts'
import { vpcRules } from './vpc-rules.ts'

interface Wanted {
  /** Whether the server runs without root. */
  asUser: boolean
  externalInterface: string | undefined
}

export interface NetworkProblem {
  message: string
  advice: string
}

/** Programs that the networks of VPCs need. */
export const networkPrograms = ({ asUser }: Wanted): readonly HostProgram[] => [
  { program: 'ip', debian: 'iproute2' },
  { program: 'nft', debian: 'nftables' },
  { program: 'dnsmasq', debian: 'dnsmasq-base' },
  { program: 'nsenter', debian: 'util-linux' },
  ...(asUser ? [{ program: 'pasta', debian: 'passt' }] : []),
]

const TUN = '/dev/net/tun'

/** The first problem that prevents networks, on a host with the required programs. Leaves nothing behind. */
export async function networkProblem(wanted: Wanted, tun = TUN): Promise<NetworkProblem | undefined> {
  return (
    (await deviceProblem(wanted, tun)) ??
    (await namespaceProblem(wanted)) ??
    (await kernelProblem(wanted)) ??
    (await rightsProblem(wanted)) ??
    interfaceProblem(wanted)
  )
}

async function deviceProblem({ asUser }: Wanted, tun: string): Promise<NetworkProblem | undefined> {
  try {
    await access(tun, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    return {
      message: `machines cannot be connected: ${tun} cannot be opened (${code})`,
      advice:
        code !== 'ENOENT' && asUser
          ? `Let the user of the server open it: chmod 666 ${tun}.`
          : 'Load the kernel module tun: modprobe tun. A container also has to be given the device.',
    }
  }
}

const namespaceWords = ({ asUser }: Wanted): string[] => [
  'unshare',
  ...(asUser ? ['--user', '--map-root-user'] : []),
  '--net',
  '--mount',
  '--',
]

async function namespaceProblem(wanted: Wanted): Promise<NetworkProblem | undefined> {
  const why = await failure([...namespaceWords(wanted), 'true'])
  if (why === undefined) return undefined
  return {
    message: `namespaces cannot be made: ${why}`,
    advice: wanted.asUser
      ? 'Let ordinary users make namespaces (sysctl kernel.unprivileged_userns_clone=1, and on Ubuntu ' +
        'kernel.apparmor_restrict_unprivileged_userns=0), or run the server as root.'
      : 'Give the server the capability SYS_ADMIN, which containers lack.',
  }
}

/** Creates the parts of a network in a namespace that ends with the command. */
async function kernelProblem(wanted: Wanted): Promise<NetworkProblem | undefined> {
  const script = `ip link add trial0 type veth peer name trial1
ip tuntap add dev trial2 mode tap
ip rule add priority 100 fwmark 1/1 lookup main suppress_prefixlength 0
exec nft -f -`
  const why = await failure([...namespaceWords(wanted), 'sh', '-ec', script], trialRules())
  if (why === undefined) return undefined
  return {
    message: `the kernel lacks something that networks need: ${why}`,
    advice:
      'Use a kernel with veth, tun, policy routing and nf_tables, such as that of Debian, and load its modules.',
  }
}

/** The root of a container may lack rights to a network shared with the host. */
async function rightsProblem({ asUser }: Wanted): Promise<NetworkProblem | undefined> {
  if (asUser) return undefined
  const why = await failure(['nft', 'list', 'tables'])
  if (why === undefined) return undefined
  return {
    message: `the network of this host cannot be changed: ${why}`,
    advice: 'Give the server the capability NET_ADMIN, or its container a network of its own.',
  }
}

/** The rules of an empty VPC and of its host. */
function trialRules(): string {
  const addresses = { base: 0, dns: { address: '192.0.2.1', port: 53 } }
  const network = { id: '', generation: 1, vni: 1, dns_name: '', subnets: [], interfaces: [], rules: [] }
  const record = { network, link: 1, tables: {}, last_table: 0, zones: {}, last_zone: 0, transit: {} }
  const host = hostRules(
    { links: [], external: new Map(), shares: new Map(), refused: [] },
    {
      ...addresses,
      names: { table: 'gantry-trial', links: 'trial', sinkDevice: 'sink' },
      externalInterface: undefined,
      isRouter: false,
      hidden: [],
      forwarded: ['lo'],
    },
  )
  return `${vpcRules(record, addresses)}${host}`
}

async function interfaceProblem({ asUser, externalInterface }: Wanted): Promise<NetworkProblem | undefined> {
  if (externalInterface === undefined) return undefined
  if (asUser)
    return { message: INTERFACE_NEEDS_ROOT, advice: 'Run the server as root, or remove the setting.' }
  const message = whyNotExternal(externalInterface, await interfacesOf([]))
  return message === undefined
    ? undefined
    : { message, advice: 'Name one of these in the settings file, or remove the setting.' }
}

export const INTERFACE_NEEDS_ROOT = 'The setting fleet.external_interface needs root.'

/** The error output of a failing command. */
const failure = (words: readonly string[], input = ''): Promise<string | undefined> =>
  hostCommand(words, { input }).then(
    () => undefined,
    ({ message }: Error) => message.replace(/^.* ended with \d+: (?=.)/s, ''),
  )
