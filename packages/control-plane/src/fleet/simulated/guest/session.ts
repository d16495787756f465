import { loginBanner, loginPrompt, stoppingLog } from './boot-log.ts'
import { loginTime, secondsBetween } from './clock.ts'
import { commandNames, runLine } from './commands.ts'
import { complete } from './completion.ts'
import type { GuestAction, GuestFacts, GuestState } from '../../simulated-guest.ts'
import { remember } from './history.ts'
import type { Key } from './keys.ts'
import {
  BELL,
  codePoints,
  edit,
  type Edited,
  emptyLine,
  type Line,
  redraw,
  replaceLine,
} from './line-editor.ts'
import { hostnameOf, releaseOf, SERIAL_LINE } from './system.ts'

export interface Pressed {
  state: GuestState
  output: string
  action?: GuestAction
}

const CRLF = '\r\n'
const CLEAR_SCREEN = '\x1b[H\x1b[2J'

// Lets a backspace move from the start of a wrapped row to the row above, if the terminal supports it.
const REVERSE_WRAP = '\x1b[?45h'

// The maximum length of a Linux user name, in code points.
const MAX_USER_CODE_POINTS = 32

/** Handles one key press after the boot. */
export function press(facts: GuestFacts, state: GuestState, key: Key, now: Date): Pressed {
  switch (state.mode) {
    case 'login':
      return pressAtLogin(facts, state, key)
    case 'password':
      return pressAtPassword(facts, state, key, now)
    case 'shell':
      return pressInShell(facts, state, key, now)
    case 'booting':
    case 'halted':
      return { state, output: '' }
    default:
      return state.mode satisfies never
  }
}

function pressAtLogin(facts: GuestFacts, state: GuestState, key: Key): Pressed {
  if (key === 'enter') {
    const user = codePoints(state.line.trim()).slice(0, MAX_USER_CODE_POINTS).join('')
    const blank = withLine(state, emptyLine)
    if (user === '') return { state: blank, output: CRLF + loginPrompt(facts) }
    return { state: { ...blank, mode: 'password', user }, output: `${CRLF}Password: ` }
  }
  if (key === 'interrupt' || (key === 'end-of-input' && state.line === '')) return toLogin(facts, state, CRLF)
  if (key === 'clear-screen') return redrawn(state, loginPrompt(facts))
  return edited(state, edit(lineOf(state), key))
}

// A password is neither echoed nor stored, because the state is persisted: any password is accepted.
function pressAtPassword(facts: GuestFacts, state: GuestState, key: Key, now: Date): Pressed {
  if (key === 'interrupt' || key === 'end-of-input') return toLogin(facts, state, CRLF)
  if (key !== 'enter') return { state, output: '' }
  const welcome = [
    '',
    `Last login: ${loginTime(new Date(state.last_login))} on ${SERIAL_LINE}`,
    '',
    `Welcome to ${releaseOf(facts).pretty} on ${hostnameOf(facts)}.`,
    "This guest is simulated: type 'help' to see what it can do.",
    '',
    '',
  ]
  const inShell: GuestState = { ...state, mode: 'shell', last_login: now.toISOString() }
  return { state: inShell, output: REVERSE_WRAP + welcome.join(CRLF) + shellPrompt(facts, state.user) }
}

function pressInShell(facts: GuestFacts, state: GuestState, key: Key, now: Date): Pressed {
  const prompt = shellPrompt(facts, state.user)
  switch (key) {
    case 'enter':
      return enter(facts, state, now)
    case 'up':
      return recall(state, state.history_at - 1)
    case 'down':
      return recall(state, state.history_at + 1)
    case 'tab':
      return completed(state, prompt)
    case 'clear-screen':
      return redrawn(state, prompt)
    case 'interrupt':
      return { state: fresh(state), output: `^C${CRLF}${prompt}` }
    case 'end-of-input':
      if (state.line === '') return toLogin(facts, state, `logout${CRLF}`)
      return edited(state, edit(lineOf(state), 'delete'))
    default:
      return edited(state, edit(lineOf(state), key))
  }
}

function enter(facts: GuestFacts, state: GuestState, now: Date): Pressed {
  const history = remember(state.history, state.line)
  const next = fresh({ ...state, history })
  const bootedAt = new Date(state.booted_at)
  const loggedInAt = new Date(state.last_login)
  const ran = runLine({ facts, user: state.user, history, bootedAt, loggedInAt, now }, state.line)
  const lines = ran.lines.map((line) => line + CRLF).join('')
  const output = CRLF + (ran.clears ? CLEAR_SCREEN : '') + lines
  if (ran.effect === undefined) return { state: next, output: output + shellPrompt(facts, state.user) }
  if (ran.effect === 'logout') return toLogin(facts, next, `${output}logout${CRLF}`)
  const stopping = stoppingLog(ran.effect, secondsBetween(bootedAt, now))
  return {
    state: { ...forgotten(next), mode: 'halted' },
    output: output + stopping.map((line) => line + CRLF).join(''),
    action: ran.effect,
  }
}

function recall(state: GuestState, at: number): Pressed {
  if (at < 0 || at > state.history.length) return { state, output: BELL }
  const draft = state.history_at === state.history.length ? state.line : state.draft
  const shown = at === state.history.length ? draft : (state.history[at] ?? '')
  return edited({ ...state, history_at: at, draft }, replaceLine(lineOf(state), shown))
}

function completed(state: GuestState, prompt: string): Pressed {
  const { candidates, ...result } = complete(lineOf(state), commandNames)
  if (candidates.length === 0) return edited(state, result)
  return { state, output: `${CRLF}${candidates.join('  ')}${CRLF}${prompt}${redraw(lineOf(state))}` }
}

// The next user may be a different one, so nothing of this session remains.
function toLogin(facts: GuestFacts, state: GuestState, output: string): Pressed {
  return { state: { ...forgotten(state), mode: 'login' }, output: output + loginBanner(facts) }
}

function forgotten(state: GuestState): GuestState {
  return fresh({ ...state, user: '', history: [] })
}

function fresh(state: GuestState): GuestState {
  return { ...withLine(state, emptyLine), history_at: state.history.length, draft: '' }
}

function redrawn(state: GuestState, prompt: string): Pressed {
  return { state, output: CLEAR_SCREEN + prompt + redraw(lineOf(state)) }
}

function edited(state: GuestState, result: Edited | undefined): Pressed {
  return result ? { state: withLine(state, result.line), output: result.output } : { state, output: '' }
}

function lineOf(state: GuestState): Line {
  return { text: state.line, cursor: state.cursor }
}

function withLine(state: GuestState, line: Line): GuestState {
  return { ...state, line: line.text, cursor: line.cursor }
}

function shellPrompt(facts: GuestFacts, user: string): string {
  return `${user}@${hostnameOf(facts)}:~${user === 'root' ? '#' : '$'} `
}
