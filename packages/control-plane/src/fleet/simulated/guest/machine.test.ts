import { describe, expect, test } from 'vitest'
import { BOOT_MS, bootLog } from './boot-log.ts'
import { after, booted, bootedAt, bytesOf, db, later, loggedIn, textOf, web } from './guest.fixtures.ts'
import type { GuestState } from '../../simulated-guest.ts'
import { commandNames } from './commands.ts'
import { advance, nextDue, powerOn, type } from './machine.ts'

const jsonBytes = (state: GuestState) => bytesOf(JSON.stringify(state)).length

describe('booting', () => {
  test.each([0, 1, 250, 999.5, 1000, 1700, 2499])('prints what is due %d ms after power on', (ms) => {
    const { state, output } = advance(web, powerOn(web, bootedAt), after(ms))
    const due = bootLog(web, bootedAt).filter(({ offset }) => offset <= Math.trunc(ms))
    expect(textOf(output)).toBe(due.map(({ text }) => `${text}\r\n`).join(''))
    expect(state).toMatchObject({ printed: due.length, mode: 'booting' })
  })

  test('prints nothing twice, and nothing before power on', () => {
    const started = powerOn(web, bootedAt)
    expect(advance(web, started, after(-5000))).toEqual({ state: started, output: new Uint8Array() })
    for (const ms of [700, BOOT_MS, BOOT_MS * 9]) {
      const { state } = advance(web, started, after(ms))
      expect(advance(web, state, after(ms))).toEqual({ state, output: new Uint8Array() })
    }
  })

  test('called late, prints everything and the login prompt', () => {
    const { state, output } = advance(db, powerOn(db, bootedAt), later)
    expect(state.mode).toBe('login')
    expect(textOf(output).split('\r\n').length).toBe(bootLog(db, bootedAt).length + 4)
    expect(textOf(output)).toMatch(
      /\r\n\r\nDebian GNU\/Linux 13 db\.example\.org ttyS0\r\n\r\ndb\.example\.org login: $/,
    )
  })

  test('stepping by nextDue prints at every step and yields the same log', () => {
    let state = powerOn(db, bootedAt)
    let text = ''
    for (let due = nextDue(db, state); due; due = nextDue(db, state)) {
      const step = advance(db, state, due)
      expect(step.output.length).toBeGreaterThan(0)
      text += textOf(step.output)
      state = step.state
    }
    expect(text).toBe(textOf(advance(db, powerOn(db, bootedAt), later).output))
    expect(state.mode).toBe('login')
  })

  test('ignores input', () => {
    const started = advance(web, powerOn(web, bootedAt), after(1000)).state
    expect(type(web, started, bytesOf('root\r\u001b[A'), after(1000))).toEqual({
      state: started,
      output: new Uint8Array(),
    })
  })

  test('input after the end of the boot first prints the rest of the log', () => {
    const step = type(web, powerOn(web, bootedAt), bytesOf('mara'), later)
    expect(textOf(step.output)).toMatch(/web-1 login: mara$/)
    expect(step.state).toMatchObject({ mode: 'login', line: 'mara' })
  })

  test("strips escape sequences from an image's texts", () => {
    const hostile = { ...web, os: 'evil\u001b[2J\u009b1m', version: '1\r\n\u202e"$(x)`' }
    const { output } = advance(hostile, powerOn(hostile, bootedAt), later)
    expect(textOf(output).replaceAll('\r\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })
})

test('input does not mutate the given state', () => {
  const state = loggedIn(web)
  const before = structuredClone(state)
  type(web, state, bytesOf('echo a\r\u001b[A\u00e9'), later)
  expect(state).toEqual(before)
})

test('a long paste of verbose commands is truncated', () => {
  const { state, output } = type(web, loggedIn(web), bytesOf('dmesg\r'.repeat(20_000)), later)
  expect(output.length).toBeLessThan(140 * 1024)
  expect(textOf(type(web, state, bytesOf('whoami\r'), later).output)).toContain('\r\nmara\r\n')
})

test('state stays small whatever is entered', () => {
  let state = loggedIn(web)
  for (let index = 0; index < 120; index++) {
    const line = `${'\u6f22"\\'.repeat(500)}${index}`
    state = type(web, state, bytesOf(`\u0015${line.slice(-1024)}\r${line.slice(-1024)}`), later).state
    expect(jsonBytes(state)).toBeLessThan(64 * 1024)
  }
  expect(state.history.length).toBeGreaterThan(3)
})

test.each([1, 2, 3])('random bytes (seed %d) neither break it nor make it grow', (seed) => {
  const random = randomBytes(seed)
  let state = booted(db)
  for (let sent = 0; sent < 50_000;) {
    const name = commandNames[random() % commandNames.length]
    const noise = Array.from({ length: 1 + (random() % 40) }, () => someByte(random))
    const chunk = Uint8Array.from(random() % 8 === 0 ? [0x15, ...bytesOf(`${name} -a /\r`)] : noise)
    sent += chunk.length
    const step = type(db, state, chunk, later)
    state = step.action === undefined ? step.state : booted(db)
    expect(jsonBytes(state)).toBeLessThan(64 * 1024)
    expect(state.pending.length).toBeLessThan(10)
    expect(state.cursor).toBeLessThanOrEqual(Array.from(state.line).length)
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
  }
})

// Half of the bytes are arbitrary, the others meaningful.
function someByte(random: () => number): number {
  const meaningful = '\r\t\u001b[[[OABCDHF~3;&"\'$\\ \u007f\u0001\u0005\u0015\u0017\u000bhelps'
  return random() % 2 === 0 ? random() % 256 : meaningful.charCodeAt(random() % meaningful.length)
}

function randomBytes(seed: number): () => number {
  let value = seed
  return () => {
    value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0
    return value >>> 8
  }
}
