import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../e2e/support/client.ts'
import { largeBodies, largeRules } from '../../packages/control-plane/src/testing/large-bodies.ts'
import { othersAreAnswered } from './others.ts'
import { okay, tally } from './requests.ts'
import { describeAttacks } from './stage.ts'

/** What one member sends at once. */
const atOnce = 16
const GiB = 1024 ** 3

describeAttacks('occupy the server with the largest bodies there are', (stage) => {
  let stranger: Client
  beforeAll(async () => {
    stranger = await stage.newUser('stranger', { silo: 'viewer' })
  })

  /** Another one for each test, because the sender of such a body must wait. */
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
    // Requests beyond a user's rate are refused.
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

  /** Sends a request many times at once; the list of statuses grows with the answers. */
  function sendMany({ headers }: Client, { path, body }: { path: string; body: string }) {
    const answered: number[] = []
    const verdicts: unknown[] = []
    const done = Promise.all(
      Array.from({ length: atOnce }, async () => {
        const answer = await fetch(`${stage.gantry.url}${path}`, { method: 'POST', body, headers })
        answered.push(answer.status)
        const verdict: unknown = await answer.json()
        if (answer.status === 200) verdicts.push(verdict)
      }),
    )
    return { answered, verdicts, done }
  }

  describe('a denied packet, whose near misses are sought in a thousand rules', () => {
    const path = '/ext/v1/vpc-packet-checks?project=playground&vpc=default'
    const packet = {
      from: { type: 'internet' },
      to: { type: 'instance', value: 'denied' },
      packet: { type: 'udp', port: 443 },
    }
    // None is a miss, so all are looked at, and those that are disabled are prepared for that alone.
    const missing = largeRules.map((rule, at) => ({ ...rule, status: at % 8 === 0 ? 'enabled' : 'disabled' }))
    beforeAll(async () => {
      await okay(
        await stage.member.send('POST', '/v1/instances?project=playground', {
          name: 'denied',
          description: '',
          hostname: 'denied',
          ncpus: 1,
          memory: GiB,
          external_ips: [{ type: 'ephemeral' }],
          start: false,
        }),
      )
      const at = '/v1/vpc-firewall-rules?project=playground&vpc=default'
      await okay(await stage.member.send('PUT', at, { rules: missing }))
    })

    test.each([
      ['of the request', { ...packet, rules: missing }],
      ['that are stored', packet],
    ])('%s', async (_, body) => {
      const attacker = await newAttacker()
      let others = 0
      const sent = sendMany(attacker, { path, body: JSON.stringify(body) })
      await othersAreAnswered(stage, async () => {
        const { answered, verdicts, done } = sent
        await expect.poll(() => answered.length, { timeout: 60_000 }).toBeGreaterThan(2)
        // What they cost is counted.
        expect((await attacker.send('GET', '/v1/me')).status).toBe(429)
        const isOver = () => answered.length === atOnce
        do {
          await okay(await stranger.send('GET', '/v1/me'))
          others++
        } while (!isOver())
        await done
        // Those that come after the first is charged are refused.
        for (const status of answered) expect([200, 429]).toContain(status)
        expect(answered).toContain(200)
        for (const verdict of verdicts)
          expect(verdict).toMatchObject({ reason: 'nothing_allows', near_misses: [] })
      })
      console.log('  answers:', JSON.stringify({ attacker: tally(sent.answered), stranger: others }))
      // Fewer were answered before the first was counted.
      expect(others).toBeGreaterThan(sent.verdicts.length - 3)
    })

    test.each([
      ['role', 404],
      ['session', 401],
    ] as const)('no result follows a %s that ended in the middle', async (what, refused) => {
      const attacker = await newAttacker()
      const { id } = await attacker.read<{ id: string }>('/v1/me')
      const { answered, done } = sendMany(attacker, { path, body: JSON.stringify(packet) })
      await okay(await ends[what](id))
      // What was sent before has arrived with these.
      for (let trip = 0; trip < 2; trip++) await okay(await stranger.send('GET', '/v1/me'))
      const before = answered.length
      await done
      console.log('  answers:', JSON.stringify({ before, after: tally(answered.slice(before)) }))
      expect(before).toBeLessThan(atOnce)
      for (const status of answered.slice(before)) expect([refused, 429]).toContain(status)
      expect(answered).toContain(refused)
    })
  })

  const { admin } = stage
  const ends = {
    role: async (id: string) => {
      const { role_assignments } = await admin.read<{ role_assignments: { identity_id: string }[] }>(
        '/v1/policy',
      )
      const others = role_assignments.filter(({ identity_id }) => identity_id !== id)
      return admin.send('PUT', '/v1/policy', { role_assignments: others })
    },
    session: (id: string) => admin.send('POST', `/v1/users/${id}/logout`),
  }
})
