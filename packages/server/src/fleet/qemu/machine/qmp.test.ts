import fs from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { LineReader } from '../serial/line-reader.ts'
import { connectQmp, QmpGone, QmpRefusal } from './qmp.ts'

const hello = `{"QMP":{"version":{"qemu":{"micro":22,"minor":2,"major":7},"package":""},"capabilities":[]}}\n`
interface Request {
  execute: string
  id: number
}

/** A monitor with these answers; returning undefined sends none. */
async function monitor(
  answer: (request: Request, socket: net.Socket) => object | string | undefined,
  greeting = hello,
) {
  // Deep, as data directories may be.
  const folder = path.join(await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-qmp-')), 'deep'.repeat(30))
  await fs.mkdir(folder)
  const handle = await fs.open(folder)
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.write(greeting)
    const lines = new LineReader()
    lines.onLine = (line) => {
      const request = JSON.parse(line) as Request
      const said =
        request.execute === 'qmp_capabilities' ? { return: {}, id: request.id } : answer(request, socket)
      if (said !== undefined) socket.write(typeof said === 'string' ? said : `${JSON.stringify(said)}\r\n`)
    }
    socket.on('data', (bytes) => lines.add(bytes))
  })
  await new Promise<void>((resolve) => server.listen(`/proc/self/fd/${handle.fd}/qmp`, resolve))
  onTestFinished(async () => {
    server.close()
    await handle.close()
    await fs.rm(path.dirname(folder), { recursive: true, force: true })
  })
  const events: string[] = []
  let ends = 0
  const connect = () =>
    connectQmp(folder, { onEvent: ({ event }) => void events.push(event), onEnd: () => (ends += 1) })
  return { connect, events, ends: () => ends }
}
const status = z.object({ status: z.string() })

test('commands are answered in any order, between events', async () => {
  const held: Request[] = []
  const { connect, events } = await monitor((request, socket) => {
    held.push(request)
    if (held.length < 2) return undefined
    socket.write('{"timestamp":{"seconds":1},"event":"RESUME"}\n')
    for (const { id } of held.reverse())
      socket.write(`${JSON.stringify({ id, return: { status: `s${id}` } })}\n`)
    return undefined
  })
  const qmp = await connect()
  const answers = await Promise.all([qmp.ask(status, 'query-status'), qmp.ask(status, 'query-status')])
  expect(answers).toEqual([{ status: 's2' }, { status: 's3' }])
  expect(events).toEqual(['RESUME'])
  qmp.close()
})

test('a refusal is an error with its reason, and the connection stays', async () => {
  const { connect, ends } = await monitor(({ id, execute }) =>
    execute === 'bad'
      ? { id, error: { class: 'GenericError', desc: 'no such thing' } }
      : { id, return: { status: 'running' } },
  )
  const qmp = await connect()
  await expect(qmp.run('bad')).rejects.toThrow(new QmpRefusal('bad: no such thing'))
  expect(await qmp.ask(status, 'query-status')).toEqual({ status: 'running' })
  expect(ends()).toBe(0)
  qmp.close()
})

test.each([
  ['something else than JSON', 'nonsense\n', 'none of QMP'],
  ['neither an answer nor an event', '{"x":1}\n', 'none of QMP'],
  ['an answer of another shape', '{"id":2,"return":{"status":5}}\n', 'in an unknown way'],
  ['a line without end', 'x'.repeat(5 * 1024 * 1024), 'without end'],
])('%s ends the connection', async (_, said, reason) => {
  const { connect, ends } = await monitor(() => said)
  const qmp = await connect()
  const failed = await qmp.ask(status, 'query-status').catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(QmpGone)
  expect((failed as Error).message).toContain(reason)
  await expect(qmp.run('query-status')).rejects.toThrow(QmpGone)
  expect(ends()).toBe(1)
})

test('its end fails pending commands, once', async () => {
  const { connect, ends } = await monitor((_, socket) => void socket.destroy())
  const qmp = await connect()
  const answers = await Promise.allSettled([qmp.run('quit'), qmp.run('cont')])
  expect(answers.map(({ status: how }) => how)).toEqual(['rejected', 'rejected'])
  expect(ends()).toBe(1)
})

test('a server with another greeting is no monitor', async () => {
  const { connect } = await monitor(() => undefined, 'SSH-2.0-x\n')
  await expect(connect()).rejects.toThrow('unknown way')
})

test('lines are assembled from pieces of any size', () => {
  const seen: string[] = []
  const lines = new LineReader(10)
  lines.onLine = (line) => void seen.push(line)
  const text = 'one\ntwo\n\nthrée\n'
  for (const byte of Buffer.from(text)) expect(lines.add(Buffer.of(byte))).toBe(true)
  expect(lines.add(Buffer.from('a\nb\n12345'))).toBe(true)
  expect(seen).toEqual(['one', 'two', 'thrée', 'a', 'b'])
  expect(lines.add(Buffer.from('678901'))).toBe(false)
})
