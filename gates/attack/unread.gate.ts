import net from 'node:net'
import { expect, test } from 'vitest'
import type { Client } from '../../e2e/support/client.ts'
import { othersAreAnswered } from './others.ts'
import { flood, okay } from './requests.ts'
import { describeAttacks, type Stage } from './stage.ts'

/** Short, so that silent readers are noticed quickly. */
const http = { unread_seconds: 5 }
const queries = 200
/** Each is six bytes of an answer. */
const escaped = '\u0001'.repeat(4000)
const leastBytes = queries * escaped.length * 6
const readers = 200

describeAttacks('leave answers unread', (stage) => tests(stage), {
  settings: { http, limits: { requests_per_second: 300, request_burst: 3000 } },
})

/**
 * Sends a request and never reads the answer. Resolves when the server ends the connection, which only a client that
 * sends something notices.
 */
function unread({ gantry }: Stage, { headers }: Client, path: string): { ended: Promise<unknown> } {
  const socket = net.connect(Number(new URL(gantry.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  const sending = setInterval(() => socket.write('\r\n'), 500)
  const ended = new Promise((resolve) => socket.once('close', resolve))
  void ended.then(() => clearInterval(sending))
  // A refusal, which is small, ends the connection too.
  const head = ['host: 127.0.0.1', `cookie: ${headers['cookie']}`, 'connection: close', '\r\n']
  socket.write([`GET ${path} HTTP/1.1`, ...head].join('\r\n'))
  return { ended }
}

function tests(stage: Stage): void {
  test(`${readers} answers of 5 MB that one user does not read`, async () => {
    const person = await stage.newUser('silent', { silo: 'collaborator' })
    await okay(await person.send('POST', '/v1/projects', { name: 'silent', description: '' }))
    const path = '/ext/v1/metric-queries?project=silent'
    const query = `get virtual_machine:vcpu_usage | filter state == "${escaped}"`
    await flood(queries, 4, async (index) =>
      okay(await person.send('POST', path, { name: `query-${index}`, description: '', query })),
    )
    const list = `${path}&limit=${queries}`
    expect((await (await person.send('GET', list)).text()).length).toBeGreaterThan(leastBytes)
    await othersAreAnswered(stage, async () => {
      const all = Array.from({ length: readers }, () => unread(stage, person, list))
      await Promise.all(all.map(({ ended }) => ended))
    })
    // Afterwards, the user is served again.
    expect((await person.send('GET', list)).status).toBe(200)
  })
}
