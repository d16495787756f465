import type { Firmware } from '@gantry/api/storage/hardware.rules'

/** The guest shell's facts about its VM: the instance's records, collected at boot. */
export interface GuestFacts {
  instance_id: string
  name: string
  hostname: string
  ncpus: number
  /** Bytes. */
  memory: number
  disks: {
    /** Absent from machines that were started before disks were exchanged while they run. */
    id?: string
    name: string
    size: number
    block_size: number
    is_boot: boolean
    /** Absent from machines that were started before there were such disks. */
    read_only?: boolean
  }[]
  interfaces: {
    name: string
    mac: string
    ip: string
    prefix_length: number
    /** A second address, in a network of 64 bits. */
    ipv6?: string | null
    is_primary: boolean
    /** Bytes of its largest packet, if that is not the usual one. */
    mtu?: number
  }[]
  os: string
  version: string
  /** Absent from machines that were started before there was a choice. */
  firmware?: Firmware
  has_tpm?: boolean
  /** Absent from machines that were started before they had channels to agents. */
  has_agent?: boolean
  ssh_keys: number
  /** What is in its CD drives. Absent from machines that were started before they had some. */
  cds?: ({ name: string; content_id: string; size: number } | null)[]
}

/** Actions of the guest on its VM. */
export type GuestAction = 'poweroff' | 'reboot'

/** JSON-serialisable: stored in a row, so that any process can continue the session. */
export interface GuestState {
  /** ISO time of power on. */
  booted_at: string
  /** Lines of the boot log printed so far. */
  printed: number
  mode: 'booting' | 'login' | 'password' | 'shell' | 'halted'
  user: string
  /** ISO time of the latest login; the boot time before the first. */
  last_login: string
  /** The input line, and the cursor in code points. Always empty during password entry. */
  line: string
  cursor: number
  history: string[]
  /** Position in the history during Up and Down; otherwise equal to its length. */
  history_at: number
  /** The unfinished line that Up replaced, for Down to restore. */
  draft: string
  /** Bytes of an incomplete UTF-8 or escape sequence, or a CR that may be followed by an LF. */
  pending: number[]
  /** ISO time until which its file systems are frozen; absent or null if they are not. */
  frozen_until?: string | null
}

export interface GuestStep {
  state: GuestState
  /** Bytes that the guest writes to its serial console. */
  output: Uint8Array
  action?: GuestAction
}
