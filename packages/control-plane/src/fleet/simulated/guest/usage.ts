import { GiB, MiB } from '@gantry/api/base/bytes.rules'
import type { GuestFacts } from '../../simulated-guest.ts'
import { blockDevices, rootDevice } from './system.ts'

export interface MemoryUse {
  total: number
  used: number
  free: number
  shared: number
  cache: number
  available: number
}

// A kernel keeps one 64-byte descriptor for each 4 KiB page, and its own image.
const KERNEL_IMAGE = 32 * MiB
const DESCRIPTOR_SHARE = 64 / 4096

/** Memory use of an idle system, in whole KiB like the tools print. */
export function memoryUse(facts: GuestFacts): MemoryUse {
  const total = wholeKib(facts.memory * (1 - DESCRIPTOR_SHARE) - KERNEL_IMAGE)
  const used = wholeKib(Math.min(176 * MiB + facts.memory * 0.012, total * 0.4))
  const cache = wholeKib(Math.min(212 * MiB + facts.memory * 0.008, total * 0.25))
  const free = total - used - cache
  return { total, used, free, shared: 948 * 1024, cache, available: free + wholeKib(cache * 0.88) }
}

export interface Filesystem {
  source: string
  mount: string
  type: string
  size: number
  used: number
  available: number
}

/** Mounted filesystems. Data disks are absent, because they are not formatted. */
export function filesystems(facts: GuestFacts): Filesystem[] {
  const { total, shared } = memoryUse(facts)
  const [boot] = blockDevices(facts)
  const mounted = (boot?.partitions ?? []).filter((part) => part.mount !== undefined)
  const onDisk = mounted.map(({ device, size, mount = '' }) => {
    return mount === '/'
      ? rootFilesystem(`/dev/${device}`, size)
      : efiFilesystem(`/dev/${device}`, size, mount)
  })
  const inMemory = onDisk.length > 0 ? [] : [tmpfs(rootDevice(facts), '/', total * 0.5, 240 * MiB)]
  return [
    tmpfs('udev', '/dev', total * 0.49, 0, 'devtmpfs'),
    tmpfs('tmpfs', '/run', total * 0.1, shared / 2),
    ...onDisk.slice(0, 1),
    ...inMemory,
    tmpfs('tmpfs', '/dev/shm', total * 0.5, 0),
    ...onDisk.slice(1),
  ]
}

function rootFilesystem(source: string, partition: number): Filesystem {
  // ext4 uses about 1.6 % for its own tables and reserves 5 % for root.
  const size = wholeKib(partition * 0.984)
  const used = wholeKib(Math.min(1.1 * GiB + partition * 0.004, size * 0.6))
  return { source, mount: '/', type: 'ext4', size, used, available: wholeKib(size * 0.95) - used }
}

function efiFilesystem(source: string, partition: number, mount: string): Filesystem {
  const used = wholeKib(8.8 * MiB)
  return { source, mount, type: 'vfat', size: partition, used, available: partition - used }
}

function tmpfs(source: string, mount: string, bytes: number, inUse: number, type = 'tmpfs'): Filesystem {
  const size = wholeKib(bytes)
  const used = wholeKib(Math.min(inUse, bytes))
  return { source, mount, type, size, used, available: size - used }
}

function wholeKib(bytes: number): number {
  return Math.max(0, Math.floor(bytes / 1024)) * 1024
}
