import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'

let bed: TestBed
let me: Caller
const GiB = 1024 ** 3
const path = '/v1/instances/watched/serial-console/stream?project=playground&most_recent=100000'
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  const body = { name: 'watched', description: '', ncpus: 1, memory: GiB, hostname: 'watched' }
  await me.post('/v1/instances?project=playground', body)
  await eventually(
    () => bed.db.selectFrom('simulated_vm').select('id').execute(),
    (vms) => vms.length > 0,
  )
  bed.pass(3100)
  await eventually(
    async () => (await me.get('/v1/instances/watched?project=playground')).body,
    ({ run_state }) => run_state === 'running',
  )
})
afterAll(() => bed.stop().catch(() => undefined))

const records = () =>
  bed.db
    .selectFrom('audit')
    .selectAll()
    .where('operation_id', '=', 'instance_serial_console_stream')
    .orderBy('time_completed')
    .execute()

test('a serial console is audited at its start and end, without its contents', async () => {
  const { id } = (await me.get('/v1/instances/watched?project=playground')).body
  const user = (await me.get('/v1/me')).body
  const console = await bed.open(me, path)
  const [begin] = await eventually(records, (rows) => rows.length === 1)
  expect(begin).toMatchObject({
    actor: { kind: 'silo_user', silo_user_id: user.id, silo_id: user.silo_id },
    auth_method: 'session_cookie',
    http_status_code: 101,
    details: { instance_id: id, instance: 'watched', event: 'begin' },
  })
  await eventually(
    async () => console.text(),
    (text) => text.includes('login: '),
  )
  console.type('a-secret-name\r')
  await eventually(
    async () => console.text(),
    (text) => text.includes('Password: '),
  )
  bed.pass(90_000)
  console.close()
  const [, end] = await eventually(records, (rows) => rows.length === 2)
  const bytes_out = new TextEncoder().encode(console.text()).length
  expect(end?.request_id).toBe(begin?.request_id)
  expect(end?.details).toEqual({
    instance_id: id,
    instance: 'watched',
    event: 'end',
    seconds: expect.any(Number),
    bytes_in: 14,
    bytes_out,
    reason: null,
  })
  expect(end?.details?.seconds).toBeGreaterThanOrEqual(90)
  expect(JSON.stringify(await records())).not.toContain('a-secret-name')
})

test('one that cannot be opened leaves no record, and one ended by the server records why', async () => {
  const before = (await records()).length
  const viewer = await bed.signIn('viewer')
  await expect(bed.open(viewer, path)).rejects.toThrow('403')
  expect(await records()).toHaveLength(before)
  const console = await bed.open(me, path)
  await eventually(records, (rows) => rows.length === before + 1)
  await bed.stop()
  expect(console.closed()).toEqual({ code: 1012, reason: 'the server is going away' })
})
