import { secondsBetween } from '../clock.ts'
import type { GuestFacts } from '@gantry/control-plane/fleet/simulated-guest'
import { CPU_MODEL, hostnameOf, kernelCommandLine, linksOf, releaseOf } from '../system.ts'
import { memoryUse } from '../usage.ts'
import { type CommandContext, type CommandResult, type Commands, fail, homeOf, print } from './command.ts'

/** The guest's few files, all computed when read. */
export const fileCommands: Commands = {
  ls: { summary: 'names in a directory', run: ls },
  pwd: { summary: 'the directory you are in', run: ({ user }) => print(homeOf(user)) },
  cat: { summary: 'a file, such as /etc/os-release or /proc/meminfo', run: cat },
}

const files: Record<string, (cx: CommandContext) => string[]> = {
  '/etc/hostname': ({ facts }) => [hostnameOf(facts)],
  '/etc/hosts': ({ facts }) => hosts(facts),
  '/etc/os-release': ({ facts }) => osRelease(facts),
  '/proc/cmdline': ({ facts }) => [kernelCommandLine(facts)],
  '/proc/cpuinfo': ({ facts }) => cpuinfo(facts),
  '/proc/loadavg': () => ['0.04 0.02 0.00 1/96 548'],
  '/proc/meminfo': ({ facts }) => meminfo(facts),
  '/proc/uptime': uptime,
}

const ROOT = 'bin boot dev etc home proc root run sbin sys tmp usr var'

function ls(cx: CommandContext, args: readonly string[]): CommandResult {
  const home = homeOf(cx.user)
  const paths = args.filter((arg) => !arg.startsWith('-')).map((path) => absolute(path, home))
  const listings = (paths.length > 0 ? paths : [home]).map((path) => list(path, cx))
  return { lines: listings.flatMap(({ lines }) => lines), failed: listings.some(({ failed }) => failed) }
}

function list(path: string, { user }: CommandContext): CommandResult {
  if (path === '/') return print(ROOT.replaceAll(' ', '  '))
  if (Object.hasOwn(files, path)) return print(path)
  const names = Object.keys(files).filter((file) => file.startsWith(`${path}/`))
  if (names.length > 0) return print(names.map((file) => file.slice(path.length + 1)).join('  '))
  if (path === '/home') return user === 'root' ? print() : print(user)
  const isEmptyDirectory = path === homeOf(user) || ROOT.split(' ').includes(path.slice(1))
  return isEmptyDirectory ? print() : fail(`ls: cannot access '${path}': No such file or directory`)
}

function cat(cx: CommandContext, args: readonly string[]): CommandResult {
  if (args.length === 0) return fail('cat: name a file, such as /etc/os-release')
  const results = args.map((arg) => read(absolute(arg, homeOf(cx.user)), cx))
  return { lines: results.flatMap(({ lines }) => lines), failed: results.some(({ failed }) => failed) }
}

function read(path: string, cx: CommandContext): CommandResult {
  const file = Object.hasOwn(files, path) ? files[path] : undefined
  if (file) return print(...file(cx))
  const isDirectory = !list(path, cx).failed
  return fail(`cat: ${path}: ${isDirectory ? 'Is a directory' : 'No such file or directory'}`)
}

/** The absolute path, without `.`, `..` and double slashes. */
function absolute(path: string, home: string): string {
  const from = path.replace(/^~(?=\/|$)/, home)
  const steps: string[] = []
  for (const step of (from.startsWith('/') ? from : `${home}/${from}`).split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return `/${steps.join('/')}`
}

function hosts(facts: GuestFacts): string[] {
  const own = linksOf(facts).map(({ ip }) => `${ip} ${hostnameOf(facts)}`)
  return ['127.0.0.1 localhost', '::1 localhost', ...own]
}

function osRelease(facts: GuestFacts): string[] {
  const { id, pretty, version } = releaseOf(facts)
  return [`PRETTY_NAME=${quoted(pretty)}`, `ID=${id}`, `VERSION_ID=${quoted(version)}`]
}

function quoted(text: string): string {
  return `"${text.replace(/["\\$`]/g, '\\$&')}"`
}

function cpuinfo({ ncpus }: GuestFacts): string[] {
  const one = (index: number) => [
    `processor\t: ${index}`,
    'vendor_id\t: Gantry',
    `model name\t: ${CPU_MODEL}`,
    `cpu cores\t: ${ncpus}`,
    '',
  ]
  return Array.from({ length: ncpus }, (_, index) => one(index)).flat()
}

function meminfo(facts: GuestFacts): string[] {
  const { total, free, available, cache, shared } = memoryUse(facts)
  const fields: [string, number][] = [
    ['MemTotal:', total],
    ['MemFree:', free],
    ['MemAvailable:', available],
    ['Cached:', cache],
    ['Shmem:', shared],
    ['SwapTotal:', 0],
    ['SwapFree:', 0],
  ]
  return fields.map(([name, bytes]) => `${name.padEnd(16)}${String(bytes / 1024).padStart(8)} kB`)
}

function uptime({ facts, bootedAt, now }: CommandContext): string[] {
  const seconds = secondsBetween(bootedAt, now)
  // Idle time adds up over the processors, and this VM is nearly always idle.
  return [`${seconds.toFixed(2)} ${(seconds * facts.ncpus * 0.98).toFixed(2)}`]
}
