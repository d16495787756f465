import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { deviceOf } from '../sign-in/sign-in.fixtures.ts'
import { withTotp } from '../sign-in/factors/second-factor.fixtures.ts'

let bed: TestBed
/** The fleet admin, who manages a silo other than their own. */
let operator: Caller
let siloId: string
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  siloId = await bed.addSilo('acme')
})
afterAll(() => bed.stop())

const people = '/ext/v1/system/silos/acme/people'
const isIn = async (who: { get: Caller['get'] }) => (await who.get('/v1/me')).status === 200

test('the operator sees how each user of another silo signs in, and their open sessions and tokens', async () => {
  const ada = await bed.addUser('ada', { siloId })
  await bed.signIn('ada', 'acme')
  await deviceOf(bed, ada)
  await withTotp(await bed.addUser('bob', { siloId }), () => Date.now())
  await operator.post(people, { external_id: 'carol' })
  const dan = await bed.addUser('dan', { siloId })
  await operator.post(`/v1/system/identity-providers/local/users/${dan.id}/set-password?silo=acme`, {
    mode: 'login_disallowed',
  })
  const { items } = (await operator.get(people)).body
  const none = { has_second_factor: false, session_count: 0, access_token_count: 0, time_last_used: null }
  const open = { session_count: 1, time_last_used: expect.any(String) }
  expect(items).toMatchObject([
    { display_name: 'ada', ...none, ...open, password: 'set', session_count: 2, access_token_count: 1 },
    { display_name: 'bob', ...none, ...open, password: 'set', has_second_factor: true },
    { display_name: 'carol', ...none, password: 'one_time', silo_id: siloId },
    { display_name: 'dan', ...none, password: 'none' },
  ])
  bed.pass(1000 * 3600 * 24 * 400)
  // Expired ones are not counted; the operator's own session has ended too.
  const later = (await (await bed.signIn('admin')).get(people)).body.items
  expect(later[0]).toMatchObject({ display_name: 'ada', ...none })
  operator = await bed.signIn('admin')
})

test('the list can be filtered by name and paged', async () => {
  const narrowed = (await operator.get(`${people}?name=A`)).body.items
  expect(narrowed.map((one: { display_name: string }) => one.display_name)).toEqual(['ada', 'carol', 'dan'])
  const seen: string[] = []
  let next = `${people}?limit=2`
  for (;;) {
    const { items, next_page } = (await operator.get(next)).body
    seen.push(...items.map((one: { display_name: string }) => one.display_name))
    if (!next_page) break
    next = `${people}?limit=2&page_token=${next_page}`
  }
  expect(seen).toEqual(['ada', 'bob', 'carol', 'dan'])
})

test('the operator ends the sessions and tokens of one user only', async () => {
  const [eve, other] = [await bed.addUser('eve', { siloId }), await bed.addUser('other', { siloId })]
  const device = await deviceOf(bed, eve)
  const end = (id: string, silo = 'acme') => operator.post(`/ext/v1/users/${id}/end-sessions?silo=${silo}`)
  // Users of other silos are not found.
  expect((await end(eve.id, 'demo')).body.message).toBe(`not found: silo-user with id "${eve.id}"`)
  expect((await end(eve.id)).status).toBe(204)
  expect(await Promise.all([eve, device, other].map(isIn))).toEqual([false, false, true])
  expect((await end(eve.id)).status).toBe(204)
})

test('a sign-in concurrent with ending all sessions is ended, or follows it', async () => {
  const fay = await bed.addUser('fay', { siloId })
  await Promise.all([
    bed.signIn('fay', 'acme'),
    operator.post(`/ext/v1/users/${fay.id}/end-sessions?silo=acme`),
  ])
  expect(await isIn(fay)).toBe(false)
})

test('effective roles of a user and of a group in another silo are explained', async () => {
  const gus = await bed.addUser('gus', {
    siloId,
    roles: [{ at: 'silo', role: 'viewer' }],
    through: 'group',
  })
  const { items } = (await operator.get('/ext/v1/groups?silo=acme')).body
  const group = items.find((one: { display_name: string }) => one.display_name === 'gus-group')
  const viewer = { role_name: 'viewer' }
  const at = (path: string) => operator.get(`/ext/v1/${path}/effective-roles?silo=acme`)
  expect((await at(`users/${gus.id}`)).body.silo).toMatchObject(viewer)
  expect((await at(`groups/${group.id}`)).body.silo).toMatchObject(viewer)
  expect((await operator.get(`/ext/v1/users/${gus.id}/effective-roles`)).status).toBe(404)
})
