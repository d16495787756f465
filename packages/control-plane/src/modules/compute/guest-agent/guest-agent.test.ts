import { guestAgentWords, guestWords } from '@gantry/api/compute/guest-agent.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'

const GiB = 1024 ** 3
let bed: TestBed
let me: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  const { body: images } = await me.get('/v1/images')
  await me.post('/v1/instances?project=playground', {
    name: 'web',
    description: '',
    hostname: 'web',
    ncpus: 1,
    memory: GiB,
    boot_disk: {
      type: 'create',
      name: 'web',
      description: '',
      size: 20 * GiB,
      disk_source: { type: 'image', image_id: images.items[0].id },
    },
  })
  await eventually(
    () => me.get(agent()),
    ({ body }) => body.state === 'answers',
    60_000,
  )
})
afterAll(() => bed.stop())

const agent = (more = '') => `/ext/v1/instances/web/guest-agent${more}?project=playground`
const auditOf = async (operation: string) =>
  (await bed.db.selectFrom('audit').selectAll().where('operation_id', '=', operation).execute()).at(-1)

test('what the guest reports is answered as such', async () => {
  const { body } = await me.get(agent())
  expect(body.reported).toMatchObject({ hostname: 'web', is_truncated: false })
  expect(body.reported.file_systems.map((one: { mount_point: string }) => one.mount_point)).toContain('/')
})

test('a password is set, and neither answered nor kept', async () => {
  const password = 'pebble-quarry-lamp-7'
  const sent = await me.post(agent('/password'), { user: 'root', password })
  expect([sent.status, sent.body]).toEqual([204, undefined])
  const record = await auditOf('instance_guest_password_set')
  expect(record).toMatchObject({ http_status_code: 204, details: { instance: 'web', user: 'root' } })
  expect(JSON.stringify(record)).not.toContain(password)
})

test.each([
  [{ user: 'root:0', password: 'x' }, /unsupported value for "user"/],
  [{ user: 'root', password: 'one\ntwo' }, /"password": must not hold control/],
  [{ user: 'root', password: '' }, /"password": must not be empty/],
  [{ user: 'stranger', password: 'x' }, /reported by the guest: "user 'stranger' does not exist"/],
])('a password that cannot be set is refused: %j', async (body, message) => {
  const refused = await me.post(agent('/password'), body)
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(message)])
})

test('keys of the caller are added by name', async () => {
  await me.post('/v1/me/ssh-keys', {
    name: 'laptop',
    description: '',
    public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFPPcLSJSgrPEfGJ0wVQ2HmS9YzGWlo0Y0jCGMmW9EXM me',
  })
  expect((await me.post(agent('/ssh-keys'), { user: 'root', ssh_public_keys: ['laptop'] })).status).toBe(204)
  expect(await auditOf('instance_guest_ssh_keys_add')).toMatchObject({
    details: { user: 'root', ssh_keys: ['laptop'] },
  })
  const unknown = await me.post(agent('/ssh-keys'), { user: 'root', ssh_public_keys: ['none'] })
  expect(unknown.status).toBe(404)
})

test('a snapshot of the running instance is consistent', async () => {
  const taken = await me.post('/ext/v1/instance-snapshots?project=playground', {
    name: 'frozen',
    description: '',
    instance: 'web',
  })
  expect(taken.body).toMatchObject({ state: 'ready', consistency: 'consistent' })
})

test('an instance that does not run says so', async () => {
  await me.post('/v1/instances/web/stop?project=playground')
  await eventually(
    () => me.get('/v1/instances/web?project=playground'),
    ({ body }) => body.run_state === 'stopped',
  )
  expect((await me.get(agent())).body).toMatchObject({ state: 'not_running', reported: null })
  const refused = await me.post(agent('/password'), { user: 'root', password: 'x' })
  expect([refused.status, refused.body.message]).toEqual([409, guestAgentWords.not_running])
})

test('words of a guest are one short line without control characters', () => {
  expect(guestWords('a\u001b[31mb\n\u202Ec\u200B ')).toBe('a [31mb c')
  expect(guestWords('x'.repeat(10_000))).toHaveLength(128)
})
