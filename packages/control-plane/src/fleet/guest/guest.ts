/** What the guest shell can know of its machine: the instance's real records, gathered when it boots. */
export interface GuestFacts {
  instance_id: string
  name: string
  hostname: string
  ncpus: number
  /** Bytes. */
  memory: number
  disks: { name: string; size: number; block_size: number; is_boot: boolean }[]
  interfaces: { name: string; mac: string; ip: string; prefix_length: number; is_primary: boolean }[]
  os: string
  version: string
  ssh_keys: number
}

/** Something the guest does to its machine. */
export type GuestAction = 'poweroff' | 'reboot'

/** JSON-able: kept in a row, so that any process can carry the conversation on. */
export interface GuestState {
  /** ISO time at which the machine was switched on. */
  booted_at: string
  /** How much of the boot log has been printed, in lines. */
  printed: number
  mode: 'booting' | 'login' | 'password' | 'shell' | 'halted'
  user: string
  /** ISO time of the latest login; the time of the boot until somebody has logged in. */
  last_login: string
  /** The line being typed, and the cursor in it, in code points. Always empty while a password is typed. */
  line: string
  cursor: number
  history: string[]
  /** Position in the history while Up and Down move through it; equal to its length when not. */
  history_at: number
  /** The unfinished line that Up put aside, for Down to bring back. */
  draft: string
  /** Bytes of an unfinished UTF-8 or escape sequence, or a CR that an LF may still complete. */
  pending: number[]
}

export interface GuestStep {
  state: GuestState
  /** Bytes the guest writes on its serial line. */
  output: Uint8Array
  action?: GuestAction
}
