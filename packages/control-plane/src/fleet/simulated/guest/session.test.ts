import { describe, expect, test } from 'vitest'
import { after, booted, bytesOf, db, later, loggedIn, textOf, web } from './guest.fixtures.ts'
import type { GuestState } from '../../simulated-guest.ts'
import { advance, nextDue, type } from './machine.ts'

const PROMPT = 'mara@web-1:~$ '
const GETTY = '\r\nUbuntu 24.04 web-1 ttyS0\r\n\r\nweb-1 login: '

const typed = (state: GuestState, ...chunks: (string | number[])[]) => {
  let current = state
  let output = ''
  let action: string | undefined
  for (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? bytesOf(chunk) : Uint8Array.from(chunk)
    const step = type(web, current, bytes, later)
    current = step.state
    output += textOf(step.output)
    action = step.action
  }
  return { state: current, output, action }
}

describe('logging in', () => {
  test('asks for a password without showing or storing it', () => {
    const named = typed(booted(web), 'mara\r')
    expect(named.output).toBe('mara\r\nPassword: ')
    expect(named.state).toMatchObject({ mode: 'password', user: 'mara', line: '' })
    const secret = typed(named.state, 'hunter2\u007f\u001b[A')
    expect(secret).toEqual({ state: { ...named.state, pending: [] }, output: '', action: undefined })
    const welcome = typed(secret.state, '\r')
    expect(welcome.output).toContain('\r\nLast login: Thu Oct  9 08:06:41 2025 on ttyS0\r\n')
    expect(welcome.output).toContain("type 'help'")
    expect(welcome.output.endsWith(`\r\n${PROMPT}`)).toBe(true)
    expect(welcome.state).toMatchObject({ mode: 'shell', last_login: later.toISOString() })
    expect(JSON.stringify(welcome.state)).not.toContain('hunter2')
  })

  test.each([
    ['an empty name', '\r', '\r\nweb-1 login: '],
    ['blanks', '  \r', '  \r\nweb-1 login: '],
    ['Ctrl-C', 'ma\u0003', `ma\r\n${GETTY}`],
    ['Ctrl-D', '\u0004', `\r\n${GETTY}`],
    ['Ctrl-C at the password', 'mara\rx\u0003', `mara\r\nPassword: \r\n${GETTY}`],
    ['keys of the shell', '\t\u001b[A', ''],
    ['Ctrl-L', 'ma\u001b[D\f', 'ma\b\u001b[H\u001b[2Jweb-1 login: ma\b'],
  ])('after %s it asks for the user name', (_, input, output) => {
    const result = typed(booted(web), input)
    expect(result.output).toBe(output)
    expect(result.state).toMatchObject({ mode: 'login', user: '' })
  })

  test('truncates a long name', () => {
    expect(typed(booted(web), `${'漢'.repeat(500)}\r`).state.user).toBe('漢'.repeat(32))
  })

  test('gives root a different prompt', () => {
    expect(typed(booted(web), 'root\r\r').output.endsWith('root@web-1:~# ')).toBe(true)
  })

  test('remembers the latest login', () => {
    const again = typed(loggedIn(web), 'exit\r', 'eve\rx\r')
    expect(again.output).toContain('Last login: Thu Nov 20 18:02:11 2025 on ttyS0')
  })
})

describe('typing in the shell', () => {
  test.each([
    ['echo', 'ec', 'ec', 'ec'],
    ['editing', 'ac\u001b[Db', 'abc', 'ac\bbc\b'],
    ['completion', 'unam\t', 'uname ', 'uname '],
    ['completion after another command', 'ls;host\t', 'ls;hostname ', 'ls;hostname '],
    ['completion of what names share', 'l\tb', 'lb', `l\r\nlogout  ls  lsblk  lscpu\r\n${PROMPT}lb`],
    ['extending to the common beginning', 'his\t', 'history ', 'history '],
    ['nothing to complete', 'xyz\t', 'xyz', 'xyz\u0007'],
    ['no completion of arguments', 'ls un\t', 'ls un', 'ls un\u0007'],
    ['no completion of nothing', '\t', '', '\u0007'],
    ['Ctrl-C', 'abc\u0003', '', `abc^C\r\n${PROMPT}`],
    ['Ctrl-D in a line', 'ab\u0001\u0004', 'b', 'ab\b\b\u001b[Jb\b'],
    ['Ctrl-L', 'ab\u001b[D\f', 'ab', `ab\b\u001b[H\u001b[2J${PROMPT}ab\b`],
    ['bracketed paste', '\u001b[200~ls\u001b[201~', 'ls', 'ls'],
  ])('%s', (_, input, line, output) => {
    const result = typed(loggedIn(web), input)
    expect(result.output).toBe(output)
    expect(result.state.line).toBe(line)
  })

  test('accepts a character that arrives in parts', () => {
    const parts = bytesOf('é漢😀')
    const result = typed(loggedIn(web), ...Array.from(parts, (byte) => [byte]))
    expect(result.output).toBe('é漢😀')
    expect(result.state).toMatchObject({ line: 'é漢😀', cursor: 3, pending: [] })
  })

  test('accepts an escape sequence and a CRLF that arrive in parts', () => {
    expect(typed(loggedIn(web), 'ab', '\u001b', '[', 'D', 'x').state.line).toBe('axb')
    expect(typed(loggedIn(web), '\r', '\n', '\n').output).toBe(`\r\n${PROMPT}\r\n${PROMPT}`)
  })

  test('rings the bell at the end of a long line', () => {
    const result = typed(loggedIn(web), 'x'.repeat(2000))
    expect(result.state.line).toBe('x'.repeat(1024))
    expect(result.output).toBe('x'.repeat(1024) + '\u0007'.repeat(976))
  })
})

describe('history', () => {
  const state = typed(loggedIn(web), 'pwd\rwhoami\rwhoami\r\r').state

  test.each([
    ['\u001b[A', 'whoami'],
    ['\u001b[A\u001b[A', 'pwd'],
    ['\u001b[A\u001b[A\u001b[A', 'pwd'],
    ['\u001b[A\u001b[A\u001b[B', 'whoami'],
    ['dra\u001bOA\u001bOA\u001bOB\u001bOB', 'dra'],
    ['dra\u001b[B', 'dra'],
    ['\u001b[A!\u001b[A\u001b[B', 'whoami'],
  ])('%j shows %s', (input, line) => expect(typed(state, input).state.line).toBe(line))

  test('redraws only the line', () => {
    expect(typed(state, 'ab\u001b[D\u001b[A').output).toBe('ab\b\b\u001b[Jwhoami')
    expect(typed(state, '\u001b[B').output).toBe('\u0007')
  })

  test('starts from the latest line after each Enter', () => {
    expect(typed(state, '\u001b[A\u001b[A\r\u001b[A').state).toMatchObject({
      line: 'pwd',
      history: ['pwd', 'whoami', 'pwd'],
    })
  })

  test('keeps a hundred lines', () => {
    const lines = Array.from({ length: 130 }, (_, index) => `echo ${index}`)
    expect(typed(state, `${lines.join('\r')}\r`).state.history).toEqual(lines.slice(30))
  })
})

describe('leaving', () => {
  test.each([
    ['Ctrl-D', '\u0004', 'logout'],
    ['exit', 'exit\r', 'exit\r\nlogout'],
    ['logout', 'logout; echo never\r', 'logout; echo never\r\nlogout'],
  ])('%s ends the session and shows the login prompt', (_, input, output) => {
    const result = typed(typed(loggedIn(web), 'echo secret\r').state, input)
    expect(result.output).toBe(`${output}\r\n${GETTY}`)
    expect(result.state).toMatchObject({ mode: 'login', user: '', history: [], line: '', draft: '' })
  })

  test.each([
    ['poweroff', 'poweroff', 'reboot: Power down'],
    ['halt', 'poweroff', 'reboot: Power down'],
    ['shutdown', 'poweroff', 'reboot: Power down'],
    ['shutdown -h now', 'poweroff', 'reboot: Power down'],
    ['shutdown -r now', 'reboot', 'reboot: Restarting system'],
    ['reboot', 'reboot', 'reboot: Restarting system'],
    ['sudo poweroff', 'poweroff', 'reboot: Power down'],
    ['true-ish; reboot; echo never', 'reboot', 'reboot: Restarting system'],
  ])('%s halts the VM, which then ignores input', (line, action, last) => {
    const result = typed(loggedIn(web), `${line}\rwhoami\r`)
    expect(result.action).toBe(action)
    expect(result.output.endsWith(`] ${last}\r\n`)).toBe(true)
    const { state } = result
    expect(state).toMatchObject({ mode: 'halted', history: [], pending: [] })
    expect(typed(state, 'mara\r\u0004')).toEqual({ state, output: '', action: undefined })
    expect(advance(web, state, later)).toEqual({ state, output: new Uint8Array() })
    expect(nextDue(web, state)).toBeUndefined()
  })

  test('the shutdown log continues the time since boot', () => {
    const soon = type(
      db,
      { ...loggedIn(db), booted_at: after(0).toISOString() },
      bytesOf('reboot\r'),
      after(90_000),
    )
    expect(textOf(soon.output)).toContain('\r\n[   90.018206] systemd[1]: Stopping user sessions\r\n')
  })
})
