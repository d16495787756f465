import type { GuestFacts } from '@gantry/control-plane/fleet/simulated-guest'

export interface CommandContext {
  facts: GuestFacts
  user: string
  history: readonly string[]
  bootedAt: Date
  loggedInAt: Date
  now: Date
}

/** A command's effect beyond its output. */
export type CommandEffect = 'clear' | 'logout' | 'poweroff' | 'reboot'

export interface CommandResult {
  lines: string[]
  failed?: boolean
  effect?: CommandEffect
}

export interface Command {
  /** The description in `help`. */
  summary: string
  run: (cx: CommandContext, args: readonly string[]) => CommandResult
}

export type Commands = Record<string, Command>

export const print = (...lines: string[]): CommandResult => ({ lines })
export const fail = (...lines: string[]): CommandResult => ({ lines, failed: true })

export function homeOf(user: string): string {
  return user === 'root' ? '/root' : `/home/${user}`
}
