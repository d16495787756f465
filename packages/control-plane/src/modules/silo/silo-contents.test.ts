import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificateFor } from '../../testing/certificates.ts'
import { type Caller, said, type TestBed, testControlPlane } from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'

const GiB = 1024 ** 3
let bed: TestBed
let operator: Caller
let owner: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  const siloId = await bed.addSilo('acme')
  owner = await bed.addUser('owner', { siloId, roles: [{ at: 'silo', role: 'admin' }] })
  const pool = await bed.db.selectFrom('ip_pool').select('id').executeTakeFirstOrThrow()
  await bed.db
    .insertInto('ip_pool_silo')
    .values({ ip_pool_id: pool.id, silo_id: siloId, is_default: true })
    .execute()
  const raised = { cpus: 8, memory: 64 * GiB, storage: 64 * GiB }
  await operator.call('PUT', '/v1/system/silos/acme/quotas', raised)
  for (const name of ['quiet', 'busy']) await owner.post('/v1/projects', { name, description: '' })
  const blank = { type: 'blank', block_size: 512 }
  const disk = { name: 'd', description: '', size: 2 * GiB, disk_source: blank }
  await made(owner, '/v1/disks?project=busy', disk)
  const machine = {
    name: 'm',
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: 'm',
    start: false,
  }
  await made(owner, '/v1/instances?project=busy', machine)
})
afterAll(() => bed.stop())

const certificates = '/ext/v1/system/silos/acme/certificates'
const add = (name: string, more: object = {}, who: Caller = operator) =>
  who.post(certificates, { name, description: '', ...certificateFor('acme.sys.test'), ...more })
const certificate = (more: object) => certificateFor('acme.sys.test', more)
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

test('the operator sees the projects of a silo with their usage', async () => {
  const { items } = (await operator.get('/ext/v1/system/silos/acme/projects')).body
  expect(items).toMatchObject([
    { name: 'busy', instance_count: 1, provisioned: { cpus: 0, memory: 0, storage: 2 * GiB } },
    { name: 'quiet', instance_count: 0, provisioned: { cpus: 0, memory: 0, storage: 0 } },
  ])
  // The projects themselves remain private to the silo.
  expect((await operator.get(`/v1/projects/${items[0].id}`)).status).toBe(404)
})

test('a refused deletion names every project of the silo', async () => {
  const refused = await operator.call('DELETE', '/v1/system/silos/acme')
  expect([said(refused), refused.body.details]).toEqual([
    '400 silo to be deleted contains a project',
    { blockers: [{ kind: 'project', count: 2, names: ['busy', 'quiet'] }] },
  ])
  const project = await owner.call('DELETE', '/v1/projects/busy')
  expect([said(project), project.body.details]).toEqual([
    '400 project to be deleted contains an instance: m',
    {
      blockers: [
        { kind: 'instance', count: 1, names: ['m'] },
        { kind: 'disk', count: 1, names: ['d'] },
        { kind: 'vpc', count: 1, names: ['default'] },
      ],
    },
  ])
})

test('a refusal names the first twenty and counts the others', async () => {
  const siloId = await bed.addSilo('crowded')
  const chief = await bed.addUser('chief', { siloId, roles: [{ at: 'silo', role: 'admin' }] })
  const names = Array.from({ length: 23 }, (_, index) => `p${String(index).padStart(2, '0')}`)
  for (const name of names) await chief.post('/v1/projects', { name, description: '' })
  const { details } = (await operator.call('DELETE', '/v1/system/silos/crowded')).body
  expect(details.blockers).toEqual([{ kind: 'project', count: 23, names: names.slice(0, 20) }])
})

test('the operator sees subject, names and expiry of a silo’s certificates', async () => {
  expect(said(await add('good'))).toBe('201')
  expect(said(await add('soon', certificate({ notAfter: inDays(29) })))).toBe('201')
  expect(said(await add('later', certificate({ notAfter: inDays(31) })))).toBe('201')
  const { items } = (await operator.get(certificates)).body
  expect(
    items.map((one: { name: string; certificate: { life: string } }) => [one.name, one.certificate.life]),
  ).toEqual([
    ['good', 'valid'],
    ['later', 'valid'],
    ['soon', 'expiring'],
  ])
  expect(items[0].certificate).toMatchObject({
    subject: 'CN=acme.sys.test',
    dns_names: ['acme.sys.test'],
    time_expires: '2999-01-01T00:00:00.000Z',
    is_for_silo: true,
  })
  expect(Object.keys(items[0])).not.toContain('key')
  bed.pass(30 * 86_400_000)
  operator = await bed.signIn('admin')
  const later = (await operator.get(certificates)).body.items
  expect(later.map((one: { certificate: { life: string } }) => one.certificate.life)).toEqual([
    'valid',
    'expiring',
    'expired',
  ])
})

test('a certificate that is not valid yet is kept as pending', async () => {
  const notBefore = inDays(40)
  expect(said(await add('pending', certificate({ notBefore, kind: 'Ed25519' })))).toBe('201')
  const { items } = (await operator.get(certificates)).body
  const found = items.find(({ name }: { name: string }) => name === 'pending')
  expect(found.certificate).toMatchObject({
    life: 'pending',
    time_valid_from: notBefore,
    key: 'Ed25519',
  })
  await operator.call('DELETE', `${certificates}/pending`)
})

test.each([
  ['expired', certificate({ notAfter: '2020-01-01T00:00:00Z' }), /Certificate exists, but is expired$/],
  ['for another silo', certificateFor('demo.sys.test'), /Certificate not valid for given hostnames/],
  ['with another key', { ...certificate({}), key: 'key-2' }, /Certificate and private key do not match$/],
  ['with an invalid key', { ...certificate({}), key: 'nothing' }, /^unsupported value for "private-key"/],
  ['no certificate', { ...certificate({}), cert: 'nothing' }, /Failed to parse certificate$/],
])('a certificate that is %s is refused', async (_, given, message) => {
  const refused = await add('refused', given)
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(message)])
})

test('the operator deletes a certificate of another silo, once', async () => {
  expect(said(await add('old'))).toBe('201')
  const remove = () => operator.call('DELETE', `${certificates}/old`)
  const answers = await Promise.all([remove(), remove()])
  expect(answers.map(said).sort()).toEqual([
    '204',
    expect.stringMatching(/^404 not found: certificate with (name|id)/),
  ])
  expect((await operator.get('/v1/certificates/good')).status).toBe(404)
})

test('of two operators who change quotas from the same state, one gets a conflict', async () => {
  const path = '/v1/system/silos/acme/quotas'
  const etag = (await operator.get(path)).headers.get('etag') ?? ''
  const answers = await Promise.all(
    [9, 10].map((cpus) => operator.call('PUT', path, { cpus }, { 'if-match': etag })),
  )
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 412])
})

test('a quota below current usage is accepted, and utilization shows it', async () => {
  const path = '/v1/system/silos/acme/quotas'
  expect((await operator.call('PUT', path, { storage: GiB })).status).toBe(200)
  const { allocated, provisioned } = (await operator.get('/v1/system/utilization/silos/acme')).body
  expect([allocated.storage, provisioned.storage]).toEqual([GiB, 2 * GiB])
  const blank = { type: 'blank', block_size: 512 }
  const more = { name: 'more', description: '', size: GiB, disk_source: blank }
  expect((await owner.post('/v1/disks?project=busy', more)).status).toBe(401)
  const again = await bed.signIn('owner', 'acme')
  expect((await again.post('/v1/disks?project=busy', more)).status).toBe(507)
})
