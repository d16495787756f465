import fs from 'node:fs/promises'

/** Users that machines run as. */
export interface MachineUsers {
  /** Undefined if all run as the user of this process, with the reason. */
  first: number | undefined
  why: string
}

/** From here to 2^31 - 1 there are no users of systemd or Debian, and no subordinate users of containers. */
const RANGE_START = 0x7000_0000
/** Users of one installation. */
export const USERS = 0x1_0000
const INSTALLATIONS = 0x1000

/** Each installation has its own users, without access to machines of another one. */
export async function machineUsers(tag: string): Promise<MachineUsers> {
  if (process.getuid?.() !== 0)
    return { first: undefined, why: 'Only root can run each machine as a user of its own.' }
  const first = RANGE_START + (Number.parseInt(tag, 16) % INSTALLATIONS) * USERS
  const map = await fs.readFile('/proc/self/uid_map', 'utf8')
  if (isMapped(map, first)) return { first, why: '' }
  return { first: undefined, why: 'The container of this process lacks the users for machines.' }
}

/** Whether a user namespace has so many users from this one on (`man 7 user_namespaces`). */
export const isMapped = (map: string, first: number, count = USERS): boolean =>
  map
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .some(([inside = 0, , length = 0]) => inside <= first && first + count <= inside + length)

const NOBODY = 65_534
/** Whether a program that root starts can become `nobody`: a container may lack all users and groups but root. */
export async function hasNobody(): Promise<boolean> {
  const maps = await Promise.all(
    ['uid_map', 'gid_map'].map((file) => fs.readFile(`/proc/self/${file}`, 'utf8')),
  )
  return maps.every((map) => isMapped(map, 1, NOBODY))
}

/** The last user runs no machine: it copies the exports of machines. */
export const copyingUser = ({ first }: MachineUsers): number | undefined =>
  first === undefined ? undefined : first + USERS - 1

/** The lowest unused user. */
export function freeUser({ first }: MachineUsers, taken: ReadonlySet<number>): number | undefined {
  if (first === undefined) return undefined
  for (let user = first; user < first + USERS - 1; user++) if (!taken.has(user)) return user
  throw new Error('Every user for machines is taken.')
}

export interface Confinement {
  /** Undefined keeps the user of this process. */
  user: number | undefined
  groups?: readonly number[]
  /** It ends when this process does. */
  endsWithThisProcess?: boolean
}

/**
 * Words before a command that drop its rights: another user, no groups, no capabilities, and no memory dumps. A
 * command that keeps its user enters a user namespace of its own: there any user may drop the bounding set, without
 * which the root of a namespace would get every capability back.
 */
export const confined = ({ user, groups = [], endsWithThisProcess }: Confinement): string[] => [
  ...(user === undefined ? ['unshare', '--user', '--map-root-user', '--'] : []),
  'prlimit',
  '--core=0:0',
  '--',
  'setpriv',
  '--no-new-privs',
  '--inh-caps=-all',
  '--ambient-caps=-all',
  '--bounding-set=-all',
  ...(user === undefined
    ? []
    : [
        `--reuid=${user}`,
        `--regid=${user}`,
        groups.length === 0 ? '--clear-groups' : `--groups=${groups.join(',')}`,
      ]),
  ...(endsWithThisProcess ? ['--pdeathsig=KILL'] : []),
  '--',
]
