import { afterAll, beforeAll, expect, test } from 'vitest'
import { seeded } from '@gantry/control-plane/testing/seeded'
import {
  type Caller,
  eventually,
  said,
  type TestBed,
  testControlPlane,
  usersChanges,
} from '@gantry/control-plane/testing/control-plane'

const GiB = 1024 ** 3
let bed: TestBed
let me: Caller
let admin: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  admin = await bed.signIn('admin')
})
afterAll(() => bed.stop())

const at = (path: string): string => `/v1/${path}?project=playground`
const check = (body: object, who = me) => who.post('/ext/v1/placement-checks?project=playground', body)
const create = (name: string, more: object = {}) =>
  me.post(at('instances'), {
    name,
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: name,
    start: false,
    ...more,
  })
const addGroup = (family: string, name: string, policy: string) =>
  me.post(at(`${family}-groups`), { name, description: '', policy, failure_domain: 'sled' })
const quota = async (more: object) => {
  const { silo_id } = (await me.get('/v1/me')).body
  await bed.db.updateTable('silo_quotas').set(more).where('silo_id', '=', silo_id).execute()
}
const sleds = () => bed.db.selectFrom('sled').selectAll().orderBy('serial').execute()

test('reports that it fits, on how many sleds, and changes nothing', async () => {
  const before = await usersChanges(bed)
  const { body } = await check({ ncpus: 2, memory: 4 * GiB })
  const { provisioned, capacity } = (await me.get('/v1/utilization')).body
  expect(body).toEqual({
    fits: true,
    candidates: 8,
    sleds: 8,
    quota: {
      cpus: { requested: 2, provisioned: provisioned.cpus, allocated: capacity.cpus, exceeded: false },
      memory: {
        requested: 4 * GiB,
        provisioned: provisioned.memory,
        allocated: capacity.memory,
        exceeded: false,
      },
    },
    reasons: [],
    refusal: null,
  })
  expect(await usersChanges(bed)).toBe(before)
})

test('reports why not, with serial numbers for callers who may read the fleet', async () => {
  const [first, second] = await sleds()
  await bed.db
    .updateTable('sled')
    .set({ is_provisionable: false })
    .where('id', '=', first?.id ?? '')
    .execute()
  const fault = await admin.post('/ext/v1/faults', { kind: 'sled_lost', sled_id: second?.id })
  const huge = { ncpus: 1, memory: 1536 * GiB }
  const { body } = await check(huge)
  expect([body.fits, body.candidates, body.sleds]).toEqual([false, 0, 8])
  expect(
    body.reasons.map(({ reason, count, sleds }: Record<string, unknown>) => [reason, count, sleds]),
  ).toEqual([
    ['no_memory', 6, null],
    ['not_provisionable', 1, null],
    ['out_of_reach', 1, null],
  ])
  for (const { help, message } of body.reasons) expect(help + message).toMatch(/\w\.\w/)
  expect(body.refusal).toMatchObject({
    code: 'InsufficientCapacity',
    message:
      'Insufficient capacity: Failed to place instance: Could not find any valid sled on which this instance can be placed',
  })
  expect(JSON.stringify(body)).not.toContain(first?.serial)
  const open = (await check(huge, admin)).body
  expect(open.reasons[1].sleds).toEqual([
    { serial: first?.serial, message: 'the sled takes no new instances' },
  ])
  expect(open.reasons[0].sleds[0].message).toMatch(/ of 1536 GiB memory free$/)
  await bed.db.updateTable('sled').set({ is_provisionable: true }).execute()
  await admin.call('DELETE', `/ext/v1/faults/${fault.body.id}`)
})

test('reports the limiting quota, after the sleds', async () => {
  const { provisioned } = (await me.get('/v1/utilization')).body
  await quota({ cpus: provisioned.cpus + 1, memory: provisioned.memory + 2 * GiB })
  const cpus = (await check({ ncpus: 2, memory: GiB })).body
  expect([cpus.fits, cpus.candidates, cpus.quota.cpus.exceeded, cpus.quota.memory.exceeded]).toEqual([
    false,
    8,
    true,
    false,
  ])
  expect(cpus.refusal.message).toContain('vCPU Limit Exceeded')
  expect((await check({ ncpus: 1, memory: 2 * GiB })).body.fits).toBe(true)
  const both = (await check({ ncpus: 2, memory: 3 * GiB })).body
  expect([both.quota.cpus.exceeded, both.quota.memory.exceeded]).toEqual([true, true])
  expect((await check({ ncpus: 64, memory: 1536 * GiB })).body.refusal.message).toContain('Failed to place')
  await quota({ cpus: 10_000, memory: 2 ** 45 })
})

test('is refused like a creation', async () => {
  await addGroup('affinity', 'near', 'fail')
  for (const [body, message] of [
    [{ ncpus: 65, memory: GiB }, '400 cannot have more than 64 vCPUs per instance'],
    [{ ncpus: 1, memory: 1 }, '400 unsupported value for "size": memory must be at least 1 GiB'],
    [
      { ncpus: 1, memory: GiB, anti_affinity_groups: ['near'] },
      '404 not found: anti-affinity-group with name "near"',
    ],
    [{ ncpus: 1, memory: GiB, affinity_groups: ['far'] }, '404 not found: affinity-group with name "far"'],
    [{ ncpus: 1, memory: GiB, affinity_groups: ['near'] }, '200'],
  ] as const)
    expect(said(await check(body))).toBe(message)
  expect(said(await check({ ncpus: 1, memory: GiB }, await bed.signIn('viewer')))).toBe('403 Forbidden')
  const stranger = await bed.addUser('stranger')
  expect(said(await check({ ncpus: 1, memory: GiB }, stranger))).toBe(
    '404 not found: project with name "playground"',
  )
})

test('agrees with the start that follows, for any load and any groups', async () => {
  const random = seeded(7)
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item
  const groups = { affinity: ['a-fail', 'a-allow'], 'anti-affinity': ['x-fail', 'x-allow'] }
  for (const [family, names] of Object.entries(groups))
    for (const name of names) await addGroup(family, name, name.split('-')[1] ?? '')
  const outcomes = new Set<string>()
  for (let round = 0; round < 60; round++) {
    const name = `random-${round}`
    const size = { ncpus: 1 + random(64), memory: GiB * (1 + random(random(3) ? 200 : 1200)) }
    const joined = Object.fromEntries(
      Object.entries(groups).map(([family, names]) => [family, names.filter(() => random(3) === 0)]),
    )
    if (random(5) === 0)
      await bed.db
        .updateTable('sled')
        .set({ is_provisionable: random(4) > 0 })
        .where('id', '=', pick(await sleds()).id)
        .execute()
    if (random(4) === 0) await quota({ cpus: random(600), memory: GiB * random(4000) })
    expect(said(await create(name, size))).toBe('201')
    for (const [family, names] of Object.entries(joined))
      for (const group of names) {
        const added = await me.post(at(`${family}-groups/${group}/members/instance/${name}`))
        expect(said(added)).toBe('201')
      }
    const asked = {
      ...size,
      affinity_groups: joined.affinity,
      anti_affinity_groups: joined['anti-affinity'],
    }
    const { fits, candidates, refusal } = (await check(asked)).body
    const started = await me.post(at(`instances/${name}/start`))
    expect([fits, refusal?.message, refusal?.help]).toEqual([
      started.status === 202,
      started.body.error_code && started.body.message,
      started.body.help,
    ])
    expect(fits && candidates === 0).toBe(false)
    outcomes.add(fits ? 'fits' : refusal.message.slice(0, 110))
    // Some are deleted, so that the rack is neither empty nor always full; nothing happens between check and
    // start.
    if (random(3) > 0 || round > 25) {
      await me.post(at(`instances/random-${random(round + 1)}/stop`))
      bed.pass(3000)
      await eventually(
        () => bed.db.selectFrom('instance').select('id').where('run_state', '=', 'stopping').execute(),
        (stopping) => stopping.length === 0,
      )
    }
  }
  // The rounds covered success and every kind of refusal.
  expect([...outcomes].join('\n')).toMatch(/fits/)
  expect([...outcomes].join('\n')).toMatch(/valid sled/)
  expect([...outcomes].join('\n')).toMatch(/affinity group that requires it/)
  expect([...outcomes].join('\n')).toMatch(/Limit Exceeded/)
})
