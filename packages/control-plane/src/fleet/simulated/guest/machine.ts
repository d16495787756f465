import { BOOT_MS, bootLog, loginBanner } from './boot-log.ts'
import type { GuestAction, GuestFacts, GuestState, GuestStep } from '../../simulated-guest.ts'
import { feed } from './keys.ts'
import { press } from './session.ts'

// Pasted commands can produce far more output than input. An overloaded serial line drops input, and so does
// this one; in UTF-16 units.
const MAX_OUTPUT_PER_STEP = 128 * 1024

/** A VM at power on. `advance` prints its first lines. */
export function powerOn(_facts: GuestFacts, now: Date): GuestState {
  return {
    booted_at: now.toISOString(),
    printed: 0,
    mode: 'booting',
    user: '',
    last_login: now.toISOString(),
    line: '',
    cursor: 0,
    history: [],
    history_at: 0,
    draft: '',
    pending: [],
  }
}

/** Prints the part of the boot that is due and not yet printed: log lines, then the login prompt. */
export function advance(facts: GuestFacts, state: GuestState, now: Date): GuestStep {
  if (state.mode !== 'booting') return step(state, '')
  const bootedAt = new Date(state.booted_at)
  const elapsedMs = now.getTime() - bootedAt.getTime()
  const log = bootLog(facts, bootedAt)
  const due = log.slice(state.printed).filter(({ offset }) => offset <= elapsedMs)
  const printed = state.printed + due.length
  const output = due.map(({ text }) => `${text}\r\n`).join('')
  if (elapsedMs < BOOT_MS) return step({ ...state, printed }, output)
  return step({ ...state, printed, mode: 'login' }, output + loginBanner(facts))
}

/** When `advance` next has output, or `undefined` after the boot. */
export function nextDue(facts: GuestFacts, state: GuestState): Date | undefined {
  if (state.mode !== 'booting') return undefined
  const bootedAt = new Date(state.booted_at)
  const offset = bootLog(facts, bootedAt)[state.printed]?.offset ?? BOOT_MS
  // A Date holds whole milliseconds, and a timer that fires slightly early would find nothing to print.
  return new Date(bootedAt.getTime() + Math.ceil(offset))
}

/** Handles input. A VM that is booting or halted ignores it. */
export function type(facts: GuestFacts, state: GuestState, bytes: Uint8Array, now: Date): GuestStep {
  // The last boot lines may not have been requested yet, although the login prompt is due.
  const booted = advance(facts, state, now)
  if (booted.state.mode === 'booting' || booted.state.mode === 'halted') return booted
  let current = booted.state
  let { pending } = current
  let output = ''
  let action: GuestAction | undefined
  for (const byte of bytes) {
    const fed = feed(pending, byte)
    pending = fed.pending
    if (fed.key === undefined) continue
    const pressed = press(facts, current, fed.key, now)
    current = pressed.state
    output += pressed.output
    action = pressed.action
    if (action === undefined && output.length <= MAX_OUTPUT_PER_STEP) continue
    // The rest of the input is dropped, and with it the continuation of `pending`.
    pending = []
    break
  }
  return step({ ...current, pending }, output, action, booted.output)
}

function step(state: GuestState, text: string, action?: GuestAction, before?: Uint8Array): GuestStep {
  const encoded = new TextEncoder().encode(text)
  const output = new Uint8Array((before?.length ?? 0) + encoded.length)
  output.set(before ?? [])
  output.set(encoded, before?.length)
  return action === undefined ? { state, output } : { state, output, action }
}
