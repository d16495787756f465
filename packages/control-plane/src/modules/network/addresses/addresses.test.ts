import type { RunState } from '@gantry/api/compute/instance.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  type Caller,
  type TestBed,
  testControlPlane,
} from '@gantry/control-plane/testing/control-plane'
import { rangeRow } from '../../ip-pools/range-row.ts'

let bed: TestBed
let member: Caller
let viewer: Caller
let stranger: Caller
let count = 0
const fresh = (word: string) => `${word}-${++count}`

beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
  stranger = await bed.addUser('stranger')
  await member.post('/v1/projects', { name: 'net', description: '' })
  await member.post('/v1/projects', { name: 'other', description: '' })
  await addPool('small', '203.0.113.1', 3, 'linked')
  await addPool('hidden', '203.0.113.100', 3, 'unlinked')
})
afterAll(() => bed.stop())

async function addPool(name: string, first: string, size: number, link: 'linked' | 'unlinked') {
  const id = crypto.randomUUID()
  const now = new Date()
  await bed.db
    .insertInto('ip_pool')
    .values({ id, name, description: '', time_created: now, time_modified: now })
    .execute()
  const last = first.replace(/\d+$/, (part) => String(Number(part) + size - 1))
  await bed.db
    .insertInto('ip_pool_range')
    .values(rangeRow(crypto.randomUUID(), id, { first, last }, now))
    .execute()
  const silo = await bed.db
    .selectFrom('silo')
    .select('id')
    .where('name', '=', 'demo')
    .executeTakeFirstOrThrow()
  if (link === 'linked')
    await bed.db
      .insertInto('ip_pool_silo')
      .values({ ip_pool_id: id, silo_id: silo.id, is_default: false })
      .execute()
}

const at = (path: string, project = 'net') => `/v1/${path}?project=${project}`
async function addInstance(name = fresh('web'), more: object = {}, project = 'net'): Promise<string> {
  const body = { name, description: '', hostname: name, ncpus: 1, memory: 2 ** 30, start: false, ...more }
  expect(await member.post(at('instances', project), body)).toMatchObject({ status: 201 })
  return name
}
const setState = (name: string, run_state: RunState) =>
  bed.db.updateTable('instance').set({ run_state }).where('name', '=', name).execute()
const addFloating = async (more: object = {}, name = fresh('fip')): Promise<Answer> =>
  member.post(at('floating-ips'), { name, description: '', ...more })
const ephemeral = (name: string) => at(`instances/${name}/external-ips/ephemeral`)
const attach = (name: string, body: object = {}) => member.post(ephemeral(name), body)
const detach = (name: string) => member.call('DELETE', ephemeral(name))
const bind = (name: string, parent: string) =>
  member.post(at(`floating-ips/${name}/attach`), { kind: 'instance', parent })
const unbind = (name: string) => member.post(at(`floating-ips/${name}/detach`))
const kinds = async (name: string) =>
  (await viewer.get(at(`instances/${name}/external-ips`))).body.items.map((one: { kind: string }) => one.kind)

const refused = (status: number, message: string) => ({
  status,
  body: { message, help: expect.stringMatching(/\.$/) },
})

/** The response to an address change in each instance state (control plane reference, B 4.4). */
const states: [RunState, number, string | undefined][] = [
  ['stopped', 202, undefined],
  ['running', 202, undefined],
  ['rebooting', 202, undefined],
  ['starting', 503, 'Service Unavailable'],
  ['stopping', 503, 'Service Unavailable'],
  ['migrating', 503, 'Service Unavailable'],
  ['creating', 400, 'cannot modify instance IPs, instance is still being created'],
  ['failed', 400, 'cannot {verb} {kind} IP {to} instance in failed state'],
]
const answerTo = (
  [, status, message]: (typeof states)[number],
  verb: 'attach' | 'detach',
  kind: 'ephemeral' | 'floating',
  success = 202,
) => {
  if (!message) return { status: success }
  const to = verb === 'attach' ? 'to' : 'from'
  return refused(status, message.replace('{verb}', verb).replace('{kind}', kind).replace('{to}', to))
}
const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status).sort((a, b) => a - b)

describe('an ephemeral address', () => {
  test('is allocated once, from the named pool, and released', async () => {
    const name = await addInstance()
    const first = await attach(name, { pool: 'small' })
    expect(first).toMatchObject({ status: 202, body: { kind: 'ephemeral', ip: '203.0.113.1' } })
    expect(await attach(name)).toMatchObject({ status: 202, body: first.body })
    expect(await attach(name, { pool: 'external' })).toMatchObject({ status: 202, body: first.body })
    expect(await kinds(name)).toEqual(['ephemeral', 'snat'])
    expect((await detach(name)).status).toBe(204)
    expect(await kinds(name)).toEqual(['snat'])
    expect(await detach(name)).toMatchObject(refused(400, 'instance does not have an ephemeral IP attached'))
  })

  test('comes from the default pool when none is named', async () => {
    const name = await addInstance()
    const { body } = await attach(name)
    const pool = (await viewer.get('/v1/ip-pools/external')).body
    expect(body).toEqual({ kind: 'ephemeral', ip: expect.any(String), ip_pool_id: pool.id })
  })

  test.each(['hidden', 'missing'])('never comes from a pool that is %s', async (pool) => {
    const name = await addInstance()
    expect(await attach(name, { pool })).toMatchObject(refused(404, `not found: ip-pool with name "${pool}"`))
    expect(await kinds(name)).toEqual(['snat'])
  })

  test.each(states)('while the instance is %s: %i %s', async (...row) => {
    const [state, status] = row
    const name = await addInstance()
    await setState(name, state)
    expect(await attach(name)).toMatchObject(answerTo(row, 'attach', 'ephemeral'))
    expect(await kinds(name)).toEqual(status === 202 ? ['ephemeral', 'snat'] : ['snat'])

    await setState(name, 'stopped')
    await attach(name)
    await setState(name, state)
    expect((await attach(name)).status).toBe(202)
    expect(await detach(name)).toMatchObject(answerTo(row, 'detach', 'ephemeral', 204))
  })

  test('is refused to viewers, and hidden from users without access', async () => {
    const name = await addInstance()
    for (const [who, status] of [
      [viewer, 403],
      [stranger, 404],
    ] as const) {
      expect((await who.post(ephemeral(name), {})).status).toBe(status)
      expect((await who.call('DELETE', ephemeral(name))).status).toBe(status)
    }
  })

  test('of ten concurrent requests for one instance, all get the same address', async () => {
    const name = await addInstance()
    const answers = await Promise.all(Array.from({ length: 10 }, () => attach(name)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.ip}`)).size).toBe(1)
    expect(await kinds(name)).toEqual(['ephemeral', 'snat'])
  })

  test('an If-Match with an older ETag is refused', async () => {
    const name = await addInstance()
    await attach(name)
    const answer = await member.call('DELETE', ephemeral(name), undefined, { 'if-match': '"999"' })
    expect(answer.status).toBe(412)
    expect(await kinds(name)).toEqual(['ephemeral', 'snat'])
  })
})

describe('a floating address', () => {
  test('is the lowest free one, or the requested one', async () => {
    const [one, two] = [
      await addFloating({ pool: 'small' }),
      await addFloating({ pool: 'small', ip: '203.0.113.3' }),
    ]
    expect([one.body.ip, two.body.ip]).toEqual(['203.0.113.1', '203.0.113.3'])
    expect(one).toMatchObject({ status: 201, headers: expect.anything(), body: { instance_id: null } })
    expect(one.headers.get('etag')).toBe('"1"')
    const unavailable = refused(400, 'Requested external IP address not available')
    for (const ip of ['203.0.113.3', '203.0.113.4', '203.0.113.100', '::1'])
      expect(await addFloating({ pool: 'small', ip })).toMatchObject(unavailable)
    expect((await addFloating({ pool: 'small' })).body.ip).toBe('203.0.113.2')
    expect(await addFloating({ pool: 'small' })).toMatchObject(
      refused(507, 'Insufficient capacity: No external IP addresses available'),
    )
    await member.call('DELETE', at(`floating-ips/${two.body.name}`))
    expect((await addFloating({ pool: 'small' })).body.ip).toBe('203.0.113.3')
    for (const { name, ip_pool_id } of (await member.get(at('floating-ips'))).body.items)
      if (ip_pool_id === one.body.ip_pool_id) await member.call('DELETE', at(`floating-ips/${name}`))
  })

  test.each(['hidden', 'missing'])('never comes from a pool that is %s', async (pool) =>
    expect(await addFloating({ pool })).toMatchObject(refused(404, `not found: ip-pool with name "${pool}"`)),
  )

  test.each(['10.0.0', '010.0.0.1', '1', 'fe80::1%eth0', ' 10.0.0.1'])('%j is no address', async (ip) =>
    expect((await addFloating({ ip })).body.message).toMatch(
      /^unable to parse JSON body: ip: invalid IP address syntax at line 1 column \d+$/,
    ),
  )

  test('has a unique name in its project, also after renaming', async () => {
    const { body } = await addFloating()
    const other = (await addFloating()).body
    expect(await addFloating({}, body.name)).toMatchObject(
      refused(400, `already exists: floating-ip "${body.name}"`),
    )
    const put = (patch: object, headers = {}) =>
      member.call('PUT', at(`floating-ips/${other.name}`), patch, headers)
    expect(await put({ name: body.name })).toMatchObject(
      refused(400, `already exists: floating-ip "${body.name}"`),
    )
    const described = await put({ description: 'what for' })
    expect(described).toMatchObject({
      status: 200,
      body: { name: other.name, description: 'what for', ip: other.ip },
    })
    expect((await put({ description: 'late' }, { 'if-match': '"1"' })).status).toBe(412)
    const renamed = await put({ name: fresh('renamed') }, { 'if-match': described.headers.get('etag') ?? '' })
    expect(renamed).toMatchObject({ status: 200, body: { description: 'what for' } })
    expect(
      (await member.post('/v1/floating-ips?project=other', { name: body.name, description: '' })).status,
    ).toBe(201)
    await member.call('DELETE', at(`floating-ips/${body.name}`, 'other'))
  })

  test('is attached and detached, and repeating either changes nothing', async () => {
    const [one, two] = [await addInstance(), await addInstance()]
    const { name, id } = (await addFloating()).body
    const bound = await bind(name, one)
    expect(bound).toMatchObject({ status: 202, body: { id, instance_id: expect.any(String) } })
    const again = await bind(name, bound.body.instance_id)
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([
      202,
      bound.body,
      bound.headers.get('etag'),
    ])
    expect(await bind(name, two)).toMatchObject(
      refused(400, 'floating IP cannot be attached to one instance while still attached to another'),
    )
    expect(await member.call('DELETE', at(`floating-ips/${name}`))).toMatchObject(
      refused(400, 'Floating IP cannot be deleted while attached to an instance'),
    )
    expect(await kinds(one)).toEqual(['floating', 'snat'])
    const freed = await unbind(name)
    expect(freed).toMatchObject({ status: 202, body: { instance_id: null } })
    expect((await unbind(name)).headers.get('etag')).toBe(freed.headers.get('etag'))
    expect((await bind(name, two)).status).toBe(202)
    await unbind(name)
    expect((await member.call('DELETE', at(`floating-ips/${name}`))).status).toBe(204)
    expect((await member.call('DELETE', at(`floating-ips/${name}`))).status).toBe(404)
  })

  test('stays in its project', async () => {
    const elsewhere = await addInstance(fresh('far'), {}, 'other')
    const { name } = (await addFloating()).body
    expect(await bind(name, elsewhere)).toMatchObject(
      refused(404, `not found: instance with name "${elsewhere}"`),
    )
    const { id } = (await member.get(at(`instances/${elsewhere}`, 'other'))).body
    expect(await bind(name, id)).toMatchObject(
      refused(400, 'floating IP must be in the same project as the instance'),
    )
  })

  test.each(states)('while the instance is %s: %i %s', async (...row) => {
    const [state, status] = row
    const owner = await addInstance()
    const { name } = (await addFloating()).body
    await setState(owner, state)
    expect(await bind(name, owner)).toMatchObject(answerTo(row, 'attach', 'floating'))

    await setState(owner, 'stopped')
    await bind(name, owner)
    await setState(owner, state)
    expect((await bind(name, owner)).status).toBe(202)
    expect(await unbind(name)).toMatchObject(answerTo(row, 'detach', 'floating'))
    expect(await kinds(owner)).toEqual(status === 202 ? ['snat'] : ['floating', 'snat'])
  })

  test('an instance has room for 32, including its ephemeral one', async () => {
    const owner = await addInstance()
    await attach(owner)
    const names: string[] = []
    for (let n = 0; n < 32; n++) names.push((await addFloating()).body.name)
    const answers = await Promise.all(names.map((name) => bind(name, owner)))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(31)
    expect(answers.find(({ status }) => status !== 202)).toMatchObject(
      refused(400, 'An instance may not have more than 32 external IP addresses'),
    )
    await detach(owner)
    for (const name of names) await bind(name, owner)
    expect(await kinds(owner)).toHaveLength(33)
    expect(await attach(owner)).toMatchObject(
      refused(400, 'An instance may not have more than 32 external IP addresses'),
    )
    expect((await member.call('DELETE', at(`instances/${owner}`))).status).toBe(204)
    for (const name of names)
      expect((await member.call('DELETE', at(`floating-ips/${name}`))).status).toBe(204)
  })

  test('a hundred concurrent requests get a hundred addresses, and one requested by all goes to one', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => addFloating()))
    const ips = answers.map(({ body }) => body.ip)
    expect(new Set(ips).size).toBe(100)
    for (const { body } of answers) await member.call('DELETE', at(`floating-ips/${body.name}`))
    const wanted = await Promise.all(Array.from({ length: 20 }, () => addFloating({ ip: ips[0] })))
    expect(statuses(wanted)).toEqual([201, ...Array(19).fill(400)])
  })

  test('of ten concurrent attaches to different instances, one succeeds', async () => {
    const owners: string[] = []
    for (let n = 0; n < 10; n++) owners.push(await addInstance())
    const { name } = (await addFloating()).body
    const answers = await Promise.all(owners.map((owner) => bind(name, owner)))
    expect(statuses(answers)).toEqual([202, ...Array(9).fill(400)])
  })
})
