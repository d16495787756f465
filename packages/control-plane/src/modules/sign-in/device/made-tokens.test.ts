import { powersFor } from '@gantry/api/people/token-operations.rules'
import { type TokenPower, tokenPowers } from '@gantry/api/people/token-scope.rules'
import { type OpName, ops } from '@gantry/api/registry'
import type { Operation } from '@gantry/api/op'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { machine, newDisk } from '@gantry/control-plane/testing/case-values'
import {
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { made } from '@gantry/control-plane/testing/hidden-things'

let bed: TestBed
let me: Caller
let admin: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  admin = await bed.signIn('admin')
  for (const name of ['web', 'other']) await made(me, '/v1/projects', { name, description: '' })
  await made(me, '/v1/instances?project=web', machine('vm'))
})
afterAll(() => bed.stop())

const path = '/ext/v1/me/access-tokens'
const ask = (powers: readonly TokenPower[], more: object = {}, by = me) =>
  by.post(path, { name: 'nightly', ttl_seconds: 3600, powers, ...more })

/** Sends by a new token. */
async function holder(powers: readonly TokenPower[], projects?: string[], by = me) {
  const { status, body } = await ask(powers, { projects }, by)
  expect(status).toBe(201)
  const authorization = `Bearer ${body.token}`
  return {
    id: body.details.id as string,
    call: (method: string, at: string, sent?: unknown) =>
      bed.anonymous.call(method, at, sent, { authorization, 'user-agent': 'script 1.0' }),
    get: (at: string) => bed.anonymous.call('GET', at, undefined, { authorization }),
  }
}

describe('a token that a user makes', () => {
  test('is shown once, listed with its scope, and acts as its user', async () => {
    const created = await ask(['delete', 'read'], { projects: ['web'], description: 'by night' })
    expect(created.body.token).toMatch(/^oxide-token-[0-9a-f]{40}$/)
    const [listed] = (await me.get(path)).body.items
    expect(listed).toEqual(created.body.details)
    expect(listed).toMatchObject({
      name: 'nightly',
      description: 'by night',
      scope: { powers: ['read', 'delete'], projects: [{ name: 'web' }] },
      time_last_used: null,
    })
    const stored = JSON.stringify(await bed.db.selectFrom('device_access_token').selectAll().execute())
    expect(stored).not.toContain(created.body.token.split('-').at(-1))
    const authorization = `Bearer ${created.body.token}`
    const who = await bed.anonymous.call('GET', '/v1/me', undefined, { authorization })
    expect(who.body.display_name).toBe('member')
    // Clients of the API see it among the others.
    const ids = (await me.get('/v1/me/access-tokens')).body.items.map(({ id }: { id: string }) => id)
    expect(ids).toContain(listed.id)
  })

  test('tells when, from where and by what it was last used', async () => {
    const token = await holder(['read'])
    await token.call('GET', '/v1/projects')
    const used = await eventually(
      async () => (await me.get(path)).body.items.find(({ id }: { id: string }) => id === token.id),
      ({ time_last_used }) => time_last_used !== null,
    )
    expect(used).toMatchObject({ last_address: '127.0.0.1', last_user_agent: 'script 1.0' })
  })

  test.each([
    [{ name: '' }, 'Name is required'],
    [{ name: ' x' }, 'begins and ends with a letter or a digit'],
    [{ name: 'x'.repeat(64) }, 'at most 63'],
    [{ powers: [] }, 'needs to be allowed something'],
    [{ powers: ['everything'] }, ''],
    [{ projects: [] }, 'at least one project'],
    [{ ttl_seconds: 59 }, ''],
    [{ ttl_seconds: 31 * 86_400 }, 'a token of this silo lasts 2592000 seconds at most'],
  ])('is refused with %j', async (given, message) => {
    const refused = await ask(['read'], given)
    expect(refused.status).toBe(400)
    expect(refused.body.message).toContain(message)
  })

  test('names no project that its user does not see', async () => {
    const stranger = await bed.addUser('stranger')
    expect((await ask(['read'], { projects: ['web'] }, stranger)).status).toBe(404)
  })

  test('ends singly, all together, or with its user', async () => {
    const leaving = await bed.addUser('leaving')
    const [one, two, three] = [
      await holder(['read'], undefined, leaving),
      await holder(['read'], undefined, leaving),
      await holder(['read'], undefined, leaving),
    ]
    const alive = async (token: { get: (at: string) => Promise<{ status: number }> }) =>
      (await token.get('/v1/me')).status
    expect((await leaving.call('DELETE', `/v1/me/access-tokens/${one.id}`)).status).toBe(204)
    expect([await alive(one), await alive(two)]).toEqual([401, 200])
    expect((await leaving.call('DELETE', path)).status).toBe(204)
    expect([await alive(two), await alive(three)]).toEqual([401, 401])
    expect((await leaving.get('/v1/me')).status).toBe(200)
  })
})

describe('the scope of a token', () => {
  test('a reader reads, and changes nothing', async () => {
    const token = await holder(['read'])
    expect((await token.get('/v1/instances?project=web')).status).toBe(200)
    const refused = await token.call('POST', '/v1/disks?project=web', newDisk('d'))
    expect([refused.status, refused.body.message]).toEqual([403, 'this access token may not do this'])
    expect(refused.body.help).toContain('Create and change')
    for (const [method, at] of [
      ['POST', '/v1/instances/vm/start?project=web'],
      ['DELETE', '/v1/instances/vm?project=web'],
      ['GET', '/v1/instances/vm/serial-console?project=web'],
      ['PUT', '/v1/projects/web'],
    ] as const)
      expect((await token.call(method, at, method === 'PUT' ? { description: 'x' } : undefined)).status).toBe(
        403,
      )
    expect((await me.get('/v1/instances/vm?project=web')).status).toBe(200)
    // A plan changes nothing, and is still none of a reader's business.
    const plan = await token.call('DELETE', '/ext/v1/plans/v1/instances/vm?project=web')
    expect(plan.status).toBe(403)
  })

  test('a token of a project sees no other, nor what its user may do in the silo and the fleet', async () => {
    const token = await holder(['read', 'change'], ['web'], admin)
    expect((await token.get('/v1/projects/web')).status).toBe(200)
    expect((await token.get('/v1/projects/other')).status).toBe(404)
    // As for every user who is only in some projects.
    expect((await token.get('/v1/projects')).status).toBe(403)
    expect((await token.get('/v1/instances?project=other')).status).toBe(404)
    expect((await token.get('/v1/system/hardware/sleds')).status).toBe(403)
    expect((await token.call('POST', '/v1/disks?project=web', newDisk('by-token'))).status).toBe(201)
    expect((await token.call('POST', '/v1/projects', { name: 'more', description: '' })).status).toBe(403)
    expect((await token.call('DELETE', '/v1/disks/by-token?project=web')).status).toBe(403)
    const all = (await token.get('/ext/v1/disks?filter=name:*')).body.items
    expect(new Set(all.map(({ name }: { name: string }) => name))).toEqual(new Set(['by-token']))
  })

  test('without the power to administer, nothing of the silo and the fleet is changed by any way', async () => {
    const token = await holder(['read', 'operate', 'change', 'delete'], undefined, admin)
    const silo = (await admin.get('/v1/me')).body.silo_id
    const pool = (await admin.get('/v1/system/ip-pools')).body.items[0]
    const plan = (await admin.get(`/ext/v1/deletion-plans/${pool.id}?kind=ip-pool`)).body
    const tags = { tags: [{ key: 'env', value: 'x' }] }
    for (const [method, at, body] of [
      ['POST', '/ext/v1/deletions', { kind: 'ip-pool', object_id: pool.id, hash: plan.hash }],
      ['PUT', `/ext/v1/tags/${silo}?kind=silo`, tags],
      ['PUT', `/ext/v1/tags/${pool.id}?kind=ip-pool`, tags],
      ['PUT', '/v1/policy', { role_assignments: [] }],
    ] as const)
      expect([at, (await token.call(method, at, body)).status]).toEqual([at, 403])
    // What a collaborator of the silo may do, it may.
    expect((await token.call('POST', '/v1/disks?project=web', newDisk('by-admin'))).status).toBe(201)
    expect((await token.call('DELETE', '/v1/disks/by-admin?project=web')).status).toBe(204)
    expect((await token.get('/v1/system/ip-pools')).status).toBe(200)
  })

  test('is never more than its user has, also later', async () => {
    const project = (await me.get('/v1/projects/web')).body.id
    const guest = await bed.addUser('guest', { roles: [{ at: { project }, role: 'viewer' }] })
    const token = await holder([...tokenPowers], ['web'], guest)
    expect((await token.get('/v1/instances?project=web')).status).toBe(200)
    expect((await token.call('POST', '/v1/disks?project=web', newDisk('theirs'))).status).toBe(403)
    await me.call('PUT', '/v1/projects/web/policy', { role_assignments: [] })
    expect((await token.get('/v1/instances?project=web')).status).toBe(404)
  })

  test('no token makes tokens, approves devices, or changes how its user signs in', async () => {
    const token = await holder([...tokenPowers])
    for (const [method, at, body] of [
      ['POST', path, { name: 'child', ttl_seconds: 60, powers: ['read'] }],
      ['DELETE', path, undefined],
      ['DELETE', `/v1/me/access-tokens/${token.id}`, undefined],
      ['POST', '/device/confirm', { user_code: 'BCDFGHJK' }],
    ] as const)
      expect([at, (await token.call(method, at, body)).status]).toEqual([at, 403])
    expect((await token.get('/v1/me')).status).toBe(200)
  })

  test('an action on several instances needs both powers that it may use', async () => {
    const body = { action: 'start', instances: ['vm'] }
    const half = await holder(['read', 'operate'], ['web'])
    expect((await half.call('POST', '/ext/v1/instance-actions?project=web', body)).status).toBe(403)
  })
})

test('each operation needs something that a scope can name', () => {
  const all = Object.entries<Operation>(ops).map(
    ([name, op]) => [name, powersFor(name as OpName, op)] as const,
  )
  const needed = Object.fromEntries(all)
  // Whatever its method is, what deletes needs the power to delete.
  const deleting = Object.entries<Operation>(ops).filter(
    ([name, { method, onlyReads, path }]) =>
      (method === 'DELETE' || (/delet|schedule/i.test(name) && method !== 'GET' && !onlyReads)) &&
      needed[name] !== undefined &&
      !needed[name].includes('administer') &&
      path !== '/v1/me/access-tokens/{token_id}',
  )
  for (const [name] of deleting) expect([name, needed[name]?.includes('delete')]).toEqual([name, true])
  expect(new Set(all.flatMap(([, powers]) => powers ?? []))).toEqual(new Set(tokenPowers))
  expect(needed).toMatchObject({
    instanceCreate: ['change'],
    instanceDelete: ['delete'],
    instanceSerialConsoleStream: ['console'],
    systemPolicyUpdate: ['administer'],
    projectPolicyUpdate: ['administer'],
    siloCreate: ['administer'],
    timeseriesQuery: ['read'],
    recycledItemDelete: ['delete'],
  })
})
