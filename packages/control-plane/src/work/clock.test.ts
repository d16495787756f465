import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginDevice, deviceOf, pollDevice } from '../modules/sign-in/sign-in.fixtures.ts'
import { addAlert } from '../testing/alerts.ts'
import { type Caller, eventually, testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { bareSettings, networking, portPath, uplinkLink } from '../testing/rack-network.ts'
import { testServices } from '../testing/services.ts'
import { isOver } from '../context/time.ts'

/** The clock runs three days ahead for a while, then goes back. */
let bed: TestBed
let me: Caller
const days = 3 * 24 * 3_600_000
const GiB = 1024 ** 3
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

/** Moves the clock, and waits until the control plane notices, which checks once a second. */
async function move(ms: number): Promise<void> {
  const seen = () =>
    bed.logged.filter(({ message }) => /^the clock (jumped ahead|went back)$/.test(message)).length
  const before = seen()
  bed.pass(ms)
  await eventually(
    async () => seen(),
    (count) => count > before,
  )
}

const isIn = async (who: { get: Caller['get'] }) => (await who.get('/v1/me')).status === 200
const list = async (who: Caller, path: string) => (await who.get(path)).body.items as { id: string }[]

test('a session begun while the clock was ahead ends, and others continue', async () => {
  const before = await bed.addUser('before')
  await move(3_600_000)
  expect(await isIn(before)).toBe(true)
  const ahead = await bed.signIn('before')
  const device = await deviceOf(bed, before)
  await move(-3_600_000)
  expect([await isIn(before), await isIn(ahead), await isIn(device)]).toEqual([true, false, false])
  expect(await list(before, '/ext/v1/me/sessions')).toHaveLength(1)
  expect(await list(before, '/v1/me/access-tokens')).toEqual([])
  // They stay ended when the clock reaches the time they name.
  const session = () =>
    bed.db
      .selectFrom('console_session')
      .innerJoin('silo_user', 'silo_user.id', 'console_session.silo_user_id')
      .select('time_last_used')
      .where('external_id', '=', 'before')
      .execute()
  const left = await eventually(session, (rows) => rows.length === 1)
  expect(left[0]?.time_last_used.getTime()).toBeLessThanOrEqual(Date.now())
  await eventually(
    () => bed.db.selectFrom('device_access_token').select('id').execute(),
    (rows) => rows.length === 0,
  )
})

test('a device code issued while the clock was ahead is expired', async () => {
  await move(days)
  const { device_code, user_code } = (await beginDevice(bed)).body
  await move(-days)
  const late = await me.post('/device/confirm', { user_code })
  expect([
    'device authorization request expired',
    `not found: device-auth-request with id "${user_code}"`,
  ]).toContain(late.body.message)
  const token = (await pollDevice(bed, device_code)).body.access_token
  expect(
    await isIn({
      get: (path) => bed.anonymous.call('GET', path, undefined, { authorization: `Bearer ${token}` }),
    }),
  ).toBe(false)
})

test('an instance started while the clock was ahead boots as fast as any other', async () => {
  await move(days)
  me = await bed.signIn('member')
  const body = { name: 'ahead', description: '', ncpus: 1, memory: GiB, hostname: 'ahead' }
  expect((await me.post('/v1/instances?project=playground', body)).status).toBe(201)
  const machine = () => bed.db.selectFrom('simulated_vm').selectAll().execute()
  await eventually(machine, (vms) => vms.length === 1)
  await move(-days)
  me = await bed.signIn('member')
  await eventually(machine, ([vm]) => (vm?.phase_since.getTime() ?? 0) <= Date.now())
  bed.pass(3100)
  const view = async () => (await me.get('/v1/instances/ahead?project=playground')).body
  await eventually(view, ({ run_state }) => run_state === 'running')
  const [guest] = await bed.db.selectFrom('guest').select('state').execute()
  expect(Date.parse(guest?.state.booted_at ?? '')).toBeLessThanOrEqual(Date.now() + 3100)
})

test('jobs that the clock postponed run, with their original delay', async () => {
  await move(days)
  const ahead = Date.now() + days
  const insert = (more: { run_at: number; time_created: number; attempts: number; lease_until?: number }) => {
    const { run_at, time_created, attempts, lease_until } = more
    return bed.db
      .insertInto('job')
      .values({
        id: crypto.randomUUID(),
        kind: 'content-removal',
        args: JSON.stringify({ content_id: crypto.randomUUID() }),
        state: 'pending',
        run_at: new Date(run_at),
        lease_until: lease_until === undefined ? null : new Date(lease_until),
        attempts,
        failure: null,
        time_created: new Date(time_created),
        time_done: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  }
  const later = 3_600_000
  const delayed = await insert({ run_at: ahead + later, time_created: ahead, attempts: 0 })
  const retried = await insert({ run_at: ahead + later, time_created: Date.now(), attempts: 2 })
  const leased = await insert({
    run_at: Date.now(),
    time_created: Date.now(),
    attempts: 1,
    lease_until: ahead + later,
  })
  await move(-days)
  const job = ({ id }: { id: string }) =>
    bed.db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await eventually(
    () => job(retried),
    ({ state }) => state === 'done',
  )
  const held = await eventually(
    () => job(leased),
    ({ lease_until }) => (lease_until?.getTime() ?? 0) < ahead,
  )
  expect(held.state).toBe('pending')
  bed.pass(11_000)
  await eventually(
    () => job(leased),
    ({ state }) => state === 'done',
  )
  const { run_at, state } = await job(delayed)
  expect(state).toBe('pending')
  expect(Math.abs(run_at.getTime() - Date.now() - later)).toBeLessThan(60_000)
  bed.pass(later)
  await eventually(
    () => job(delayed),
    ({ state: now }) => now === 'done',
  )
})

const ahead = new Date(Date.now() + 2 * days)

/** Adds a range that was uploaded ahead of now, and returns whether that has been repaired. */
async function addRange(): Promise<() => Promise<boolean>> {
  const upload_id = crypto.randomUUID()
  const range = { upload_id, first_byte: 0, length: 1, time: ahead }
  await bed.db.insertInto('image_upload_range').values(range).execute()
  const stored = bed.db.selectFrom('image_upload_range').select('time').where('upload_id', '=', upload_id)
  return async () => (await stored.executeTakeFirstOrThrow()).time < ahead
}

test('attempts and upload activity are never in the future', async () => {
  await bed.db.insertInto('attempt').values({ key: 'ahead', full_at: ahead }).execute()
  const isRepaired = await addRange()
  await move(5000)
  await move(-5000)
  await eventually(isRepaired, (repaired) => repaired)
  const { forgetFullBuckets } = await import('./attempts.ts')
  await forgetFullBuckets(testServices({ db: bed.db }))
  expect(await bed.db.selectFrom('attempt').select('key').where('key', '=', 'ahead').execute()).toEqual([])
})

test('a time ahead that a change wrote after the repair is repaired within seconds', async () => {
  const before = await addRange()
  await move(5000)
  await move(-5000)
  await eventually(before, (repaired) => repaired)
  const after = await addRange()
  expect(await after()).toBe(false)
  await eventually(after, (repaired) => repaired, 10_000)
})

test('links and BFD sessions configured while the clock was ahead come up', async () => {
  const operator = await bed.signIn('admin')
  const rack: string = (await operator.get('/v1/system/hardware/racks')).body.items[0].id
  await operator.post(`${networking}/address-lot`, {
    name: 'early',
    description: '',
    kind: 'infra',
    blocks: [{ first_address: '203.0.113.0', last_address: '203.0.113.255' }],
  })
  await operator.post(`${networking}/switch-port-settings`, {
    ...bareSettings('early'),
    links: [uplinkLink],
    addresses: [{ link_name: 'phy0', addresses: [{ address_lot: 'early', address: '203.0.113.2/30' }] }],
  })
  // Within the lifetime of the operator's session.
  await move(3_600_000)
  const session = {
    switch: 'switch0',
    remote: '203.0.113.1',
    detection_threshold: 3,
    required_rx: 300_000,
    mode: 'single_hop',
  }
  expect((await operator.post(`${networking}/bfd-enable`, session)).status).toBe(204)
  const applied = await operator.post(portPath(rack, 'qsfp0', 'settings'), { port_settings: 'early' })
  expect(applied.status).toBe(204)
  const appliedAt = async () => {
    const port = bed.db.selectFrom('switch_port').select('time_applied').where('time_applied', 'is not', null)
    return (await port.executeTakeFirstOrThrow()).time_applied?.getTime() ?? 0
  }
  const ahead = await appliedAt()
  await move(-3_600_000)
  await eventually(appliedAt, (time) => time < ahead)
  // Longer than a link and a session need, and short enough that the clock is still behind.
  bed.pass(10_000)
  const { link } = (await operator.get(portPath(rack, 'qsfp0', 'status'))).body
  expect(link).toMatchObject([{ state: 'up', reason: null }])
  expect((await operator.get(`${networking}/bfd-status`)).body).toMatchObject([{ state: 'up' }])
})

test.each([
  [0, 10, 10, false],
  [0, 11, 10, true],
  [5, 4, 10, true],
])('a period that began at %d is over at %d, after %d: %s', (since, now, ms, over) =>
  expect(isOver(since, now, ms)).toBe(over),
)

test('a delivery of an alert that the clock postponed is due again', async () => {
  const { delivery_id } = await addAlert(bed.db, 'postponed')
  await move(days)
  const ahead = new Date(Date.now() + days)
  const delivery = bed.db.updateTable('alert_delivery').where('id', '=', delivery_id)
  await delivery.set({ state: 'pending', time_next: ahead, lease_until: ahead }).execute()
  await move(-days)
  const stored = () =>
    bed.db
      .selectFrom('alert_delivery')
      .select(['time_next', 'lease_until'])
      .where('id', '=', delivery_id)
      .executeTakeFirstOrThrow()
  const limit = Date.now() + days / 2
  const { time_next, lease_until } = await eventually(stored, (row) => Number(row.lease_until) < limit)
  expect(Number(time_next)).toBeLessThan(limit)
  expect(Number(lease_until)).toBeLessThan(limit)
})
