import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { othersAreAnswered } from './others.ts'
import { tally } from './requests.ts'
import { describeAttacks, type Stage } from './stage.ts'
import { dribble, type Talk, talkTo } from './talk.ts'

/** Short, so that slow clients are detected quickly. */
const http = { header_seconds: 2, request_seconds: 4 }
const perAddress = 512

function connect({ gantry }: Stage, count: number): Promise<Talk[]> {
  return Promise.all(Array.from({ length: count }, () => talkTo(gantry)))
}
const answersTo = (talks: readonly Talk[]) => tally(talks.flatMap(({ statuses }) => statuses()))

describeAttacks('use connections up', (stage) => tests(stage), { args: [], settings: { http } })

function tests(stage: Stage): void {
  const { gantry, member } = stage

  test('ten thousand pipelined requests on one connection', async () => {
    const pipelined = `GET /openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`.repeat(10_000)
    const talks: Talk[] = []
    await othersAreAnswered(stage, async () => {
      talks.push(...(await connect(stage, 4)))
      for (const { socket } of talks) socket.write(pipelined)
      await Promise.all(talks.map(({ ended }) => ended))
    })
    // Each gets an explanation, after its earlier responses.
    for (const { statuses } of talks) expect(statuses().at(-1)).toBe(429)
    expect(answersTo(talks)['200'] ?? 0).toBeLessThan(4 * 64)
    const first = await fetch(`${gantry.url}/openapi.json`)
    await first.arrayBuffer()
    const again = await fetch(`${gantry.url}/openapi.json`, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  test('three hundred headers sent byte by byte', async () => {
    const talks: Talk[] = []
    await othersAreAnswered(stage, async () => {
      talks.push(...(await connect(stage, 300)))
      await Promise.all(talks.map((talk) => dribble(talk, 'GET /v1/me HTTP/1.1\r\nhost: 127.0.0.1\r\nx-')))
    })
    expect(answersTo(talks)).toEqual({ '408': 300 })
  })

  test('bodies sent byte by byte, by an anonymous caller and by a user', async () => {
    const head = (cookie = '') =>
      `POST /v1/projects HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${
        cookie && `cookie: ${cookie}\r\n`
      }content-length: 10000\r\n\r\n{"`
    for (const [cookie, expected] of [
      ['', { '401': 100 }],
      [member.headers['cookie'], { '408': 100 }],
    ] as const) {
      const talks: Talk[] = []
      await othersAreAnswered(stage, async () => {
        talks.push(...(await connect(stage, 100)))
        await Promise.all(talks.map((talk) => dribble(talk, head(cookie))))
      })
      expect(answersTo(talks)).toEqual(expected)
    }
    expect((await member.send('GET', '/v1/me')).status).toBe(200)
  })

  test('more silent connections than one address may have', async () => {
    const talks: Talk[] = []
    await othersAreAnswered(stage, async () => {
      talks.push(...(await connect(stage, perAddress + 200)))
      await Promise.all(talks.map(({ ended }) => ended))
    })
    expect(answersTo(talks)).toEqual({ '429': 200, '408': perAddress })
  })

  test('connections that open and close silently', async () => {
    await othersAreAnswered(stage, async () => {
      for (let round = 0; round < 20; round++) {
        const talks = await connect(stage, 100)
        for (const { socket } of talks) socket.resetAndDestroy()
        await pause(20)
      }
    })
    expect(gantry.isAlive).toBe(true)
  })
}
