import { performance } from 'node:perf_hooks'
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../e2e/support/client.ts'
import { othersAreAnswered } from './others.ts'
import { okay, tally } from './requests.ts'
import { installMachines, largeQuery, smallQuery } from './sampled-machines.ts'
import { describeAttacks } from './stage.ts'

/** What one viewer sends at once, and how many of these hang up. */
const [large, hangUps] = [16, 300]

describeAttacks('take metrics from everybody else', (stage) => {
  const { gantry } = stage
  let viewer: Client
  let stranger: Client
  let nobody: Client
  beforeAll(async () => {
    await installMachines(stage)
    viewer = await stage.newUser('attacker', { silo: 'viewer' })
    stranger = await stage.newUser('stranger', { silo: 'viewer' })
    nobody = await stage.newUser('no-role', {})
  }, 10 * 60_000)

  const ask = (who: Client, project: string, query: string) =>
    who.send('POST', `/v1/timeseries/query?project=${project}`, { query })

  /** The stranger's query, one after the other: what each took in ms. */
  async function repeated(isOver: () => boolean): Promise<number[]> {
    const taken: number[] = []
    do {
      const begin = performance.now()
      await okay(await ask(stranger, 'small', smallQuery))
      taken.push(Math.round(performance.now() - begin))
    } while (!isOver())
    return taken
  }

  test('sixteen large queries of one viewer', async () => {
    let left = 20
    const alone = await repeated(() => --left === 0)
    let pending = large
    let beside: number[] = []
    const statuses: number[] = []
    await othersAreAnswered(stage, async () => {
      const answers = Array.from({ length: large }, async () => {
        const answer = await ask(viewer, 'large', largeQuery)
        await answer.arrayBuffer()
        statuses.push(answer.status)
        pending--
      })
      beside = await repeated(() => pending === 0)
      await Promise.all(answers)
    })
    console.log(
      '  a stranger waits (ms):',
      JSON.stringify({ alone: middle(alone), beside: middle(beside), worst: Math.max(...beside) }),
    )
    expect(tally(statuses)).toEqual({ '200': large })
    // In one queue, theirs would end first.
    expect(beside.length).toBeGreaterThan(large)
  })

  test('three hundred large queries whose callers hang up', async () => {
    await othersAreAnswered(stage, async () => {
      for (let sent = 0; sent < hangUps; sent += 30)
        await Promise.all(
          Array.from({ length: 30 }, () =>
            fetch(`${gantry.url}/v1/timeseries/query?project=large`, {
              method: 'POST',
              headers: viewer.headers,
              body: JSON.stringify({ query: largeQuery }),
              signal: AbortSignal.timeout(100),
            }).then(
              (answer) => answer.arrayBuffer(),
              () => undefined,
            ),
          ),
        )
      // Nothing is left of them: this query of theirs would be the last in the queue.
      expect((await ask(viewer, 'small', smallQuery)).status).toBe(200)
    })
  })

  test('scrapes by a user without a role', async () => {
    await othersAreAnswered(stage, async () => {
      for (let round = 0; round < 20; round++)
        await Promise.all(
          Array.from({ length: 16 }, async () => {
            const answer = await nobody.send('GET', '/ext/v1/metrics/prometheus')
            expect(answer.status).toBe(200)
            expect((await answer.arrayBuffer()).byteLength).toBeLessThan(2048)
          }),
        )
    })
  })

  test('scrapes by the operator', async () => {
    await othersAreAnswered(stage, async () => {
      const answers = await Promise.all(
        Array.from({ length: 16 }, () => stage.admin.send('GET', '/ext/v1/metrics/prometheus')),
      )
      for (const answer of answers) expect((await answer.text()).length).toBeGreaterThan(10_000)
    })
  })
})

const middle = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
