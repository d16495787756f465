import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../e2e/support/client.ts'
import { largeBodies } from '../../packages/control-plane/src/testing/large-bodies.ts'
import { othersAreAnswered } from './others.ts'
import { okay, tally } from './requests.ts'
import { describeAttacks } from './stage.ts'

/** What one member sends at once. */
const atOnce = 16

describeAttacks('occupy the server with the largest bodies there are', (stage) => {
  let stranger: Client
  beforeAll(async () => {
    stranger = await stage.newUser('stranger', { silo: 'viewer' })
  })

  /** Another one for each test: whoever has sent such a body waits. */
  const newAttacker = () => stage.newUser(`attacker-${randomUUID()}`, { silo: 'collaborator' })

  test.each(Object.entries(largeBodies))('%s', async (_, { method, path, body, status }) => {
    const attacker = await newAttacker()
    const answered: number[] = []
    let others = 0
    let pending = atOnce
    await othersAreAnswered(stage, async () => {
      const attack = Array.from({ length: atOnce }, async () => {
        const answer = await fetch(`${stage.gantry.url}${path}`, { method, body, headers: attacker.headers })
        await answer.arrayBuffer()
        answered.push(answer.status)
        pending--
      })
      const isOver = () => pending === 0
      do {
        await okay(await stranger.send('GET', '/v1/me'))
        others++
      } while (!isOver())
      await Promise.all(attack)
    })
    console.log('  answers:', JSON.stringify({ attacker: tally(answered), stranger: others }))
    // What is beyond the rate of a person is refused.
    for (const one of answered) expect([status, 412, 429]).toContain(one)
    expect(answered).toContain(status)
    expect(others).toBeGreaterThan(answered.filter((one) => one === status).length)
  })

  test('whose senders hang up', async () => {
    const attacker = await newAttacker()
    const { method, path, body } = largeBodies['a packet check']
    await othersAreAnswered(stage, async () => {
      for (let round = 0; round < 10; round++)
        await Promise.all(
          Array.from({ length: atOnce }, () =>
            fetch(`${stage.gantry.url}${path}`, {
              method,
              body,
              headers: attacker.headers,
              signal: AbortSignal.timeout(50),
            }).then(
              (answer) => answer.arrayBuffer(),
              () => undefined,
            ),
          ),
        )
      expect((await stranger.send('GET', '/v1/me')).status).toBe(200)
    })
  })
})
