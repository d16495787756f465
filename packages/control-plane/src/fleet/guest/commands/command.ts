import type { GuestFacts } from '../guest.ts'

export interface CommandContext {
  facts: GuestFacts
  user: string
  history: readonly string[]
  bootedAt: Date
  loggedInAt: Date
  now: Date
}

/** What a command does beyond writing lines. */
export type CommandEffect = 'clear' | 'logout' | 'poweroff' | 'reboot'

export interface CommandResult {
  lines: string[]
  failed?: boolean
  effect?: CommandEffect
}

export interface Command {
  /** For `help`: what it shows or does. */
  summary: string
  run: (cx: CommandContext, args: readonly string[]) => CommandResult
}

export type Commands = Record<string, Command>

export const print = (...lines: string[]): CommandResult => ({ lines })
export const fail = (...lines: string[]): CommandResult => ({ lines, failed: true })

export function homeOf(user: string): string {
  return user === 'root' ? '/root' : `/home/${user}`
}
