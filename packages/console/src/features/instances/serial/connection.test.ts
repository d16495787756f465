import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ConsoleState, keepConnected, retryMs, stableMs, type Socket } from './connection.ts'

class FakeSocket implements Socket {
  binaryType: BinaryType = 'blob'
  readyState = 0
  onopen: Socket['onopen'] = null
  onmessage: Socket['onmessage'] = null
  onclose: Socket['onclose'] = null
  sent: Uint8Array[] = []
  isClosed = false
  send(bytes: Uint8Array): void {
    this.sent.push(bytes)
  }
  close(): void {
    this.isClosed = true
  }
  open(): void {
    this.readyState = 1
    this.onopen?.()
  }
  drop(reason = ''): void {
    this.readyState = 3
    this.onclose?.({ reason })
  }
}

function start() {
  const sockets: FakeSocket[] = []
  const states: ConsoleState[] = []
  const output: (Uint8Array | string)[] = []
  let openings = 0
  const connection = keepConnected({
    connect: () => {
      const socket = new FakeSocket()
      sockets.push(socket)
      return socket
    },
    onOpen: () => (openings += 1),
    onOutput: (piece) => output.push(piece),
    onState: (state) => states.push(state),
  })
  const last = (): FakeSocket => sockets.at(-1) as FakeSocket
  return { connection, sockets, states, output, last, openings: () => openings }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('receives bytes and text, and sends bytes once open', () => {
  const { connection, last, output, states } = start()
  connection.send(new Uint8Array([1]))
  last().open()
  expect(last().binaryType).toBe('arraybuffer')
  last().onmessage?.({ data: 'hello' })
  last().onmessage?.({ data: new Uint8Array([104, 105]).buffer })
  connection.send(new Uint8Array([2]))
  expect(output).toEqual(['hello', new Uint8Array([104, 105])])
  expect(last().sent).toEqual([new Uint8Array([2])])
  expect(states.map(({ status }) => status)).toEqual(['connecting', 'connected'])
})

test('a connection that never opened is an error; one that ended is disconnected, with the reason', () => {
  const { last, states } = start()
  last().drop()
  expect(states.at(-1)).toMatchObject({ status: 'error' })
  vi.advanceTimersByTime(retryMs[0] ?? 0)
  last().open()
  last().drop('instance is stopped')
  expect(states.at(-1)).toMatchObject({ status: 'disconnected', reason: 'instance is stopped' })
})

test('pauses grow with each attempt, and reset after a stable connection', () => {
  const { last, sockets, openings } = start()
  for (const pause of [...retryMs, retryMs.at(-1) ?? 0]) {
    const before = sockets.length
    last().drop()
    vi.advanceTimersByTime(pause - 1)
    expect(sockets.length).toBe(before)
    vi.advanceTimersByTime(1)
    expect(sockets.length).toBe(before + 1)
  }
  last().open()
  vi.advanceTimersByTime(stableMs)
  last().drop()
  const before = sockets.length
  vi.advanceTimersByTime(retryMs[0] ?? 0)
  expect(sockets.length).toBe(before + 1)
  last().open()
  expect(openings()).toBe(2)
})

test('retry connects at once; after close there are no more attempts', () => {
  const { connection, last, sockets } = start()
  last().drop()
  connection.retry()
  expect(sockets.length).toBe(2)
  last().open()
  connection.close()
  expect(last().isClosed).toBe(true)
  vi.advanceTimersByTime(60_000)
  expect(sockets.length).toBe(2)
})
