import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { Gantry } from '../../e2e/support/gantry.ts'
import { password } from '../../e2e/support/target.ts'
import { temporaryPostgres } from '../../packages/server/src/testing/temporary-postgres.ts'
import { flood, okay, tally } from './requests.ts'
import { databases, faultsOf, skipAttacks } from './stage.ts'

const GiB = 1024 ** 3
const yearMs = 365 * 24 * 3_600_000

describe.each(databases)('a clock that was a year ahead, with the %s database', async (database) => {
  const postgres = database === 'PostgreSQL' ? await temporaryPostgres() : undefined
  if (postgres && 'missing' in postgres) return skipAttacks(postgres.missing)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'gantry-clock-'))
  const offset = path.join(folder, 'offset')
  const setAhead = (ms: number): void => writeFileSync(offset, String(ms))
  setAhead(0)
  const clock = new URL('../../e2e/support/other-clock.mjs', import.meta.url)
  clock.searchParams.set('offset', offset)
  const url = await postgres?.newDatabase()
  const gantry = await new Gantry({
    nodeOptions: ['--import', clock.href],
    ...(url === undefined ? {} : { database: url }),
  }).start()
  afterAll(async () => {
    await gantry.remove()
    await postgres?.stop()
    rmSync(folder, { recursive: true })
  })
  const before = new Client(gantry)
  await before.signIn()

  const signIn = (username: string, secret: string): Promise<Response> =>
    fetch(`${gantry.url}/v1/login/demo/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: secret }),
    })
  const timeOf = async (client: Client): Promise<number> => {
    const { items } = await client.read<{ items: { time_last_used: string }[] }>('/ext/v1/me/sessions')
    return Math.max(...items.map(({ time_last_used }) => Date.parse(time_last_used)))
  }
  const stateOf = async (client: Client, name: string) =>
    (await client.read<{ run_state: string }>(`/v1/instances/${name}?project=playground`)).run_state

  /**
   * While the clock is ahead, one user signs in and starts an instance, and another one guesses passwords.
   */
  async function useWhileAhead(name: string): Promise<Client> {
    setAhead(yearMs)
    const ahead = new Client(gantry)
    await expect
      .poll(
        async () => {
          await ahead.signIn('member')
          return (await ahead.send('GET', '/v1/me')).status === 200 && (await timeOf(ahead))
        },
        { timeout: 10_000 },
      )
      .toBeGreaterThan(Date.now() + yearMs / 2)
    const guesses = await flood(40, 4, async () => (await signIn('viewer', 'not the password')).status)
    expect(tally(guesses)['429']).toBeGreaterThan(0)
    const machine = { name, description: '', hostname: name, ncpus: 1, memory: GiB, start: true }
    await okay(await ahead.send('POST', '/v1/instances?project=playground', machine))
    expect(['creating', 'starting']).toContain(await stateOf(ahead, name))
    return ahead
  }

  /** No user is locked out, no session survives, and the instance boots. */
  async function expectNoHarm(ahead: Client, name: string): Promise<void> {
    await expect.poll(async () => (await ahead.send('GET', '/v1/me')).status, { timeout: 10_000 }).toBe(401)
    await expect.poll(async () => (await signIn('viewer', password)).status, { timeout: 10_000 }).toBe(204)
    const member = new Client(gantry)
    await member.signIn('member')
    await expect.poll(() => stateOf(member, name), { timeout: 60_000 }).toBe('running')
    expect(await timeOf(member)).toBeLessThan(Date.now() + 120_000)
    expect((await before.send('GET', '/v1/me')).status).toBe(200)
  }

  test('goes back while the server runs', async () => {
    const ahead = await useWhileAhead('jumped')
    setAhead(0)
    await expectNoHarm(ahead, 'jumped')
    expect(gantry.isAlive).toBe(true)
  })

  test('goes back while the server is stopped', async () => {
    const ahead = await useWhileAhead('restarted')
    await gantry.kill()
    setAhead(0)
    await gantry.start()
    await expectNoHarm(ahead, 'restarted')
    expect(gantry.isAlive).toBe(true)
  })

  test('causes no internal errors', () => expect(faultsOf(gantry.log)).toEqual([]))
})
