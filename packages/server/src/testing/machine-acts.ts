import { createHash } from 'node:crypto'
import { MiB } from '@gantry/api/base/bytes.rules'

/** What a process for tests says before it does something, and once it is done. */
export interface Said {
  what: 'ensure' | 'stop' | 'reboot' | 'destroy' | 'snapshot' | 'remove'
  /** A machine, a volume, or an object of the block store. */
  id: string
  /** The volume that the machine boots from, or that is copied. */
  volume?: string
  isDone: boolean
}

export const DISK_BYTES = 64 * MiB

/** What each disk holds from its second MiB on. */
export const pattern = {
  offset: 2 * MiB,
  of: (volume: string): Buffer => Buffer.alloc(4 * MiB, createHash('sha256').update(volume).digest()),
} as const
