import { firstOf } from '../base/text.rules.ts'

/** Whether the agent in a guest answers, and else why not. */
export const guestAgentStates = [
  'answers',
  'silent',
  'frozen',
  'absent',
  'no_channel',
  'not_running',
] as const
export type GuestAgentState = (typeof guestAgentStates)[number]

export const guestAgentWords: Readonly<Record<GuestAgentState, string>> = {
  answers: 'The guest agent answers',
  silent: 'The guest agent does not answer',
  frozen: 'The file systems of the guest are frozen for a snapshot',
  absent: 'No guest agent runs in the guest',
  no_channel: 'The instance was started before there were guest agents',
  not_running: 'The instance does not run',
}

export const guestAgentAdvice: Readonly<Record<Exclude<GuestAgentState, 'answers'>, string>> = {
  silent: 'The guest may be busy. If that lasts, restart the agent in the guest.',
  frozen: 'Try again in a moment.',
  absent: 'Install it in the guest, and start it.',
  no_channel: 'Stop the instance and start it again.',
  not_running: 'Start the instance.',
}

/** How the agent is installed in a guest. */
export const guestAgentInstalls = [
  { system: 'Debian and Ubuntu', command: 'sudo apt install qemu-guest-agent' },
  { system: 'Fedora, Rocky and openSUSE', command: 'sudo dnf install qemu-guest-agent' },
  { system: 'Alpine', command: 'apk add qemu-guest-agent && rc-update add qemu-guest-agent' },
] as const

/** What an agent offers that is used here. It is asked to run nothing else. */
export const guestAgentOffers = ['freeze', 'shutdown', 'password', 'ssh_keys'] as const
export type GuestAgentOffer = (typeof guestAgentOffers)[number]

/** What an agent reports about its guest. All of it may be wrong, or written to mislead. */
export interface GuestReport {
  agent_version: string
  hostname: string | null
  os: string | null
  kernel: string | null
  interfaces: { name: string; mac: string | null; addresses: string[] }[]
  file_systems: { mount_point: string; type: string; size: number | null; used: number | null }[]
  offers: GuestAgentOffer[]
  /** There are more interfaces, addresses or file systems. */
  is_truncated: boolean
}

export const guestReportLimits = { interfaces: 32, addresses: 16, file_systems: 64, words: 128 } as const

/** Text of a guest as it may be shown: one line of bounded length, without control and invisible characters. */
export const guestWords = (text: string): string =>
  firstOf(
    text
      .slice(0, 4 * guestReportLimits.words)
      .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim(),
    guestReportLimits.words,
  )

export const guestPasswordMax = 128
export const guestUserMax = 64

/** Why a user of a guest cannot be named so, if it cannot. */
export const guestUserProblem = (user: string): string | undefined =>
  /^[A-Za-z_][A-Za-z0-9_.-]*\$?$/.test(user) && user.length <= guestUserMax
    ? undefined
    : `must begin with a letter, hold letters, digits, dots, hyphens and underscores, and have at most ${guestUserMax} characters`

/** Why a guest cannot be given such a password, if it cannot. */
export function guestPasswordProblem(password: string): string | undefined {
  if (password === '') return 'must not be empty'
  return /\p{C}/u.test(password) ? 'must not hold control characters' : undefined
}
