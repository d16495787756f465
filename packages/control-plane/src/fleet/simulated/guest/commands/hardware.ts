import { bootLog } from '../boot-log.ts'
import { ARCHITECTURE, type BlockDevice, blockDevices, CPU_MODEL } from '../system.ts'
import { blockSize, diskUsage, memoryUsage, table } from '../units.ts'
import { filesystems, memoryUse } from '../usage.ts'
import { type CommandContext, type CommandResult, type Commands, fail, print } from './command.ts'

/** Processors, memory and disks. */
export const hardwareCommands: Commands = {
  nproc: { summary: 'number of processors', run: ({ facts }) => print(String(facts.ncpus)) },
  lscpu: { summary: 'processors', run: lscpu },
  free: { summary: 'memory (-h, -m, -b)', run: free },
  lsblk: { summary: 'disks and partitions', run: lsblk },
  df: { summary: 'space in filesystems (-h)', run: df },
  dmesg: { summary: 'kernel log of this boot', run: dmesg },
}

function lscpu({ facts }: CommandContext): CommandResult {
  const { ncpus } = facts
  const fields: [string, string][] = [
    ['Architecture:', ARCHITECTURE],
    ['CPU op-mode(s):', '32-bit, 64-bit'],
    ['Byte Order:', 'Little Endian'],
    ['CPU(s):', String(ncpus)],
    ['On-line CPU(s) list:', ncpus === 1 ? '0' : `0-${ncpus - 1}`],
    ['Model name:', CPU_MODEL],
    ['Thread(s) per core:', '1'],
    ['Core(s) per socket:', String(ncpus)],
    ['Socket(s):', '1'],
    ['Hypervisor vendor:', 'KVM'],
    ['Virtualization type:', 'full'],
  ]
  return print(...fields.map(([name, value]) => name.padEnd(24) + value))
}

const memoryScales: Record<string, (bytes: number) => string> = {
  '-b': String,
  '-k': (bytes) => String(Math.floor(bytes / 1024)),
  '-m': (bytes) => String(Math.floor(bytes / 1024 ** 2)),
  '-g': (bytes) => String(Math.floor(bytes / 1024 ** 3)),
  '-h': memoryUsage,
}

function free({ facts }: CommandContext, args: readonly string[]): CommandResult {
  const option = args[0] ?? '-k'
  const scale = Object.hasOwn(memoryScales, option) ? memoryScales[option] : undefined
  if (!scale) return fail(`free: unknown option '${option}'`)
  const { total, used, free, shared, cache, available } = memoryUse(facts)
  return print(
    memoryRow('', ['total', 'used', 'free', 'shared', 'buff/cache', 'available']),
    memoryRow('Mem:', [total, used, free, shared, cache, available].map(scale)),
    memoryRow('Swap:', [0, 0, 0].map(scale)),
  )
}

function memoryRow(label: string, cells: string[]): string {
  return label.padEnd(8) + cells.map((cell) => cell.padStart(12)).join('')
}

function lsblk({ facts }: CommandContext): CommandResult {
  const rows = [...(facts.cds ?? []).map(cdRow), ...blockDevices(facts).flatMap(blockRows)]
  if (rows.length === 0) return print()
  return print(...table([['NAME', 'MAJ:MIN', 'RM', 'SIZE', 'RO', 'TYPE', 'MOUNTPOINTS'], ...rows], [2, 3, 4]))
}

function blockRows({ device, minor, size, read_only, partitions }: BlockDevice): string[][] {
  const blockRow = rowOf(read_only ? '1' : '0')
  const rows = partitions.map((part, index) => {
    const branch = index === partitions.length - 1 ? '└─' : '├─'
    return blockRow(branch + part.device, minor + part.minor, part.size, 'part', part.mount)
  })
  return [blockRow(device, minor, size, 'disk'), ...rows]
}

/** A drive, as Linux lists one: an empty one as if it had a gibibyte. */
const cdRow = (cd: { size: number } | null, drive: number): string[] => [
  `sr${drive}`,
  `11:${drive}`,
  '1',
  blockSize(cd?.size ?? 2 ** 30),
  cd ? '1' : '0',
  'rom',
  '',
]

const rowOf =
  (readOnly: string) =>
  (name: string, minor: number, size: number, type: string, mount = ''): string[] => [
    name,
    `252:${minor}`,
    '0',
    blockSize(size),
    readOnly,
    type,
    mount,
  ]

function df({ facts }: CommandContext, args: readonly string[]): CommandResult {
  const isHuman = args.includes('-h')
  const paths = args.filter((arg) => !arg.startsWith('-'))
  const all = filesystems(facts)
  const missing = paths.find((path) => !path.startsWith('/'))
  if (missing !== undefined) return fail(`df: ${missing}: No such file or directory`)
  const shown = paths.length === 0 ? all : paths.map((path) => holderOf(path, all))
  const amount = isHuman ? diskUsage : (bytes: number) => String(Math.floor(bytes / 1024))
  const header = ['Filesystem', isHuman ? 'Size' : '1K-blocks', 'Used', 'Avail', 'Use%', 'Mounted on']
  const rows = shown.map(({ source, mount, size, used, available }) => {
    const share = used === 0 ? 0 : Math.ceil((used * 100) / (used + available))
    return [source, amount(size), amount(used), amount(available), `${share}%`, mount]
  })
  return print(...table([header, ...rows], [1, 2, 3, 4]))
}

function holderOf<F extends { mount: string }>(path: string, all: F[]): F {
  const under = (mount: string) => path === mount || path.startsWith(mount === '/' ? '/' : `${mount}/`)
  const holders = all.filter(({ mount }) => under(mount))
  // The root filesystem is always mounted, so a longest match exists.
  return holders.reduce((best, each) => (each.mount.length > best.mount.length ? each : best))
}

function dmesg({ facts, bootedAt }: CommandContext): CommandResult {
  return print(...bootLog(facts, bootedAt).map(({ text }) => text))
}
