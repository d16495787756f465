import { MiB } from '@gantry/api/base/bytes.rules'
import type { GuestFacts } from '../../simulated-guest.ts'
import { type Ipv4Network, networkOf } from './ipv4.ts'

export const ARCHITECTURE = 'x86_64'
export const CPU_MODEL = 'Gantry Virtual Processor'
export const SERIAL_LINE = 'ttyS0'

export interface Release {
  /** As in /etc/os-release: lower case, without blanks. */
  id: string
  pretty: string
  version: string
  kernel: string
}

interface Distribution {
  pretty: (version: string) => string
  kernel: string
}

const GENERIC_KERNEL = '6.12.41-amd64'

const distributions: Record<string, Distribution> = {
  debian: { pretty: (version) => `Debian GNU/Linux ${version}`, kernel: '6.12.41-cloud-amd64' },
  ubuntu: { pretty: (version) => `Ubuntu ${version}`, kernel: '6.8.0-64-generic' },
  alpine: { pretty: (version) => `Alpine Linux v${version}`, kernel: '6.12.38-0-virt' },
  fedora: { pretty: (version) => `Fedora Linux ${version}`, kernel: '6.15.9-201.x86_64' },
  rocky: { pretty: (version) => `Rocky Linux ${version}`, kernel: '5.14.0-570.x86_64' },
}

/** The operating system, derived from the image's metadata. */
export function releaseOf(facts: GuestFacts): Release {
  const os = plain(facts.os)
  const version = plain(facts.version)
  const id = os.toLowerCase().replace(/[^a-z0-9._-]+/g, '-') || 'linux'
  const known = Object.entries(distributions).find(([name]) => id === name || id.startsWith(`${name}-`))?.[1]
  const pretty = known ? known.pretty(version) : `${os || 'Linux'} ${version}`
  return { id, pretty: pretty.trim(), version, kernel: known?.kernel ?? GENERIC_KERNEL }
}

export function hostnameOf(facts: GuestFacts): string {
  return plain(facts.hostname) || plain(facts.name) || 'localhost'
}

export interface Partition {
  device: string
  minor: number
  size: number
  mount?: string
}

export interface BlockDevice {
  device: string
  /** The disk's name in the control plane. */
  name: string
  minor: number
  size: number
  block_size: number
  read_only: boolean
  partitions: Partition[]
}

const BIOS_SIZE = 3 * MiB
const EFI_SIZE = 124 * MiB
const FIRST_PARTITION_AT = 1 * MiB

/** Disks in kernel order. The boot disk comes first, as if it had the lowest slot. */
export function blockDevices(facts: GuestFacts): BlockDevice[] {
  const disks = [...facts.disks].sort((a, b) => Number(b.is_boot) - Number(a.is_boot))
  return disks.map(({ name, size, block_size, read_only = false }, index) => {
    const device = `vd${letters(index)}`
    const minor = index * 16
    const isRoot = index === 0
    const partitions = isRoot ? rootPartitions(device, size) : []
    return { device, name, minor, size, block_size, read_only, partitions }
  })
}

function rootPartitions(device: string, size: number): Partition[] {
  const root = Math.max(0, size - FIRST_PARTITION_AT - BIOS_SIZE - EFI_SIZE)
  return [
    { device: `${device}1`, minor: 1, size: root, mount: '/' },
    { device: `${device}14`, minor: 14, size: BIOS_SIZE },
    { device: `${device}15`, minor: 15, size: EFI_SIZE, mount: '/boot/efi' },
  ]
}

/** The root device; a VM without disks runs from memory. */
export function rootDevice(facts: GuestFacts): string {
  return facts.disks.length > 0 ? '/dev/vda1' : '/dev/ram0'
}

export function kernelCommandLine(facts: GuestFacts): string {
  return `root=${rootDevice(facts)} ro console=${SERIAL_LINE},115200`
}

export interface Link {
  device: string
  mac: string
  ip: string
  prefix_length: number
  /** A second address, of IPv6. */
  ipv6?: string | null | undefined
  is_primary: boolean
  /** Bytes of its largest packet. */
  mtu: number
  /** Absent for an IPv6 address. */
  ipv4?: Ipv4Network
}

export function linksOf(facts: GuestFacts): Link[] {
  return facts.interfaces.map(({ mac, ip, ipv6, prefix_length, is_primary, mtu = 1500 }, index) => {
    const own = { mac, ip, ipv6, prefix_length, is_primary, mtu }
    return { device: `eth${index}`, ...own, ipv4: networkOf(ip, prefix_length) }
  })
}

/** `a` to `z`, then `aa`. */
function letters(index: number): string {
  const last = String.fromCharCode(97 + (index % 26))
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last
}

// Image metadata is free text, and a terminal would obey an escape sequence in it.
function plain(text: string): string {
  return text
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 253)
}
