import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { Gantry } from '../../e2e/support/gantry.ts'
import { password } from '../../e2e/support/target.ts'
import { temporaryPostgres } from '../../packages/server/src/testing/temporary-postgres.ts'
import { othersAreAnswered } from './others.ts'
import { flood, tally } from './requests.ts'
import { skipAttacks } from './stage.ts'

const postgres = await temporaryPostgres()
const paused = 'missing' in postgres || process.platform !== 'linux' ? undefined : postgres
const whyNot = 'missing' in postgres ? postgres.missing : 'only a PostgreSQL of our own can be paused'

describe('a PostgreSQL server that is paused', () => {
  if (!paused?.pause) return skipAttacks(whyNot)
  let gantry: Gantry
  let admin: Client
  let member: Client
  beforeAll(async () => {
    const settings = { database: { statement_seconds: 2 } }
    gantry = await new Gantry({ database: await paused.newDatabase(), settings }).start()
    ;[admin, member] = [new Client(gantry), new Client(gantry)]
    await admin.signIn()
    await member.signIn('member')
  })
  afterAll(async () => {
    await paused.resume?.()
    await gantry.remove()
    await paused.stop()
  })

  const project = (name: string) => member.send('POST', '/v1/projects', { name, description: '' })
  const signIn = () =>
    new Client(gantry).send('POST', '/v1/login/demo/local', { username: 'viewer', password })

  test('is reported to every caller who needs it, delays no one else, and is used again afterwards', async () => {
    const answers: { status: number; retryAfter: number; text: string }[] = []
    const asks = [
      () => member.send('GET', '/v1/projects'),
      () => admin.send('GET', '/v1/system/silos'),
      () => project(`paused-${crypto.randomUUID().slice(0, 8)}`),
      signIn,
    ]
    // Requests without the database are answered by a thread that never waits.
    const ping = { path: '/v1/ping' }
    await paused.pause?.()
    try {
      await othersAreAnswered({ gantry, asked: ping }, () =>
        flood(40, 20, async (index) => {
          const answer = await (asks[index % asks.length] ?? signIn)()
          const { status, headers } = answer
          answers.push({ status, retryAfter: Number(headers.get('retry-after')), text: await answer.text() })
        }),
      )
    } finally {
      await paused.resume?.()
    }
    expect(tally(answers.map(({ status }) => status))).toEqual({ '503': 40 })
    for (const { retryAfter, text } of answers) {
      expect(retryAfter).toBeGreaterThan(0)
      expect(JSON.parse(text)).toMatchObject({
        error_code: 'ServiceNotAvailable',
        help: expect.stringMatching(/\.$/),
      })
    }
    await expect
      .poll(async () => (await member.send('GET', '/v1/projects')).status, { timeout: 30_000 })
      .toBe(200)
    await expect.poll(async () => (await signIn()).status, { timeout: 30_000 }).toBe(204)
    expect((await project('afterwards')).status).toBe(201)
    expect(gantry.isAlive).toBe(true)
  })
})
