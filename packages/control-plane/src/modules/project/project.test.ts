import { expect } from 'vitest'
import { ipv4Stretch } from '../network/addresses/stretch.ts'
import { test } from '../../testing/bed.ts'
import { eventually, said } from '../../testing/control-plane.ts'

const GiB = 1024 ** 3

test('a project comes with its network, belongs to its silo, and has a unique name there', async ({
  bed,
  member,
}) => {
  const made = await member.post('/v1/projects', { name: 'atlas', description: 'maps' })
  expect([made.status, made.body]).toMatchObject([201, { name: 'atlas', description: 'maps' }])
  const names = async (path: string) =>
    (await member.get(path)).body.items.map(({ name }: { name: string }) => name)
  expect(await names('/v1/vpcs?project=atlas')).toEqual(['default'])
  expect(await names('/v1/vpc-subnets?project=atlas&vpc=default')).toEqual(['default'])
  expect(said(await member.post('/v1/projects', { name: 'atlas', description: '' }))).toBe(
    '400 already exists: project "atlas"',
  )
  const siloId = await bed.addSilo('elsewhere')
  const other = await bed.addUser('other', { siloId, roles: [{ at: 'silo', role: 'collaborator' }] })
  expect(said(await other.post('/v1/projects', { name: 'atlas', description: '' }))).toBe('201')
  expect((await other.get('/v1/projects')).body.items).toHaveLength(1)
  for (const refused of [
    await (await bed.signIn('viewer')).post('/v1/projects', { name: 'mine', description: '' }),
    await (await bed.signIn('viewer')).call('PUT', '/v1/projects/atlas', { description: 'mine' }),
    await (await bed.signIn('viewer')).call('DELETE', '/v1/projects/atlas'),
  ])
    expect(said(refused)).toBe('403 Forbidden')
})

test('an update changes only the named fields', async ({ member }) => {
  const put = (body: object) => member.call('PUT', '/v1/projects/atlas', body)
  const before = (await member.get('/v1/projects/atlas')).body
  const after = (await put({ description: 'charts' })).body
  expect(after).toMatchObject({ id: before.id, name: 'atlas', description: 'charts' })
  expect(after.time_modified > before.time_modified).toBe(true)
  expect((await put({ name: null, description: null })).body).toMatchObject({
    name: 'atlas',
    description: 'charts',
  })
  expect((await put({ name: 'atlas' })).status).toBe(200)
})

test("contents block deletion, in a fixed order, and a deletion removes the project's own parts", async ({
  bed,
  operator,
  member,
}) => {
  const at = (path: string, name = '') => `/v1/${path}${name && `/${name}`}?project=full`
  const project = (await member.post('/v1/projects', { name: 'full', description: '' })).body.id
  const group = { name: 'g', description: '', policy: 'allow', failure_domain: 'sled' }
  const disk_source = { type: 'blank', block_size: 512 }
  await member.post(at('affinity-groups'), group)
  await member.post(at('anti-affinity-groups'), group)
  await member.post(at('disks'), { name: 'd', description: '', size: GiB, disk_source })
  await member.post(at('snapshots'), { name: 's', description: '', disk: 'd' })
  const machine = { name: 'i', description: '', ncpus: 1, memory: GiB, hostname: 'i', start: false }
  expect(said(await member.post(at('instances'), machine))).toBe('201')
  const now = new Date()
  const row = { time_created: now, time_modified: now, description: '', project_id: project }
  const pool = await bed.db.selectFrom('ip_pool').select('id').executeTakeFirstOrThrow()
  const image = await bed.db.selectFrom('image').selectAll().executeTakeFirstOrThrow()
  await bed.db
    .insertInto('image')
    .values({
      ...image,
      ...row,
      digest: null,
      protection: null,
      hardware: null,
      tags: null,
      id: crypto.randomUUID(),
      name: 'm',
    })
    .execute()
  await bed.db
    .insertInto('external_ip')
    .values({
      ...row,
      ...ipv4Stretch(0xc6_33_64_63),
      id: crypto.randomUUID(),
      name: 'f',
      kind: 'floating',
      ip_pool_id: pool.id,
      instance_id: null,
    })
    .execute()
  const gone = (table: 'image' | 'external_ip') =>
    bed.db.updateTable(table).set({ time_deleted: now }).where('project_id', '=', project).execute()

  const blockers: [words: string, remove: () => Promise<unknown>][] = [
    ['an instance: i', () => member.call('DELETE', at('instances', 'i'))],
    ['a disk: d', () => member.call('DELETE', at('disks', 'd'))],
    ['a floating ip: f', () => gone('external_ip')],
    ['a project image: m', () => gone('image')],
    ['a snapshot: s', () => member.call('DELETE', at('snapshots', 's'))],
    [
      'a vpc: default',
      async () => {
        await member.call('DELETE', `${at('vpc-subnets', 'default')}&vpc=default`)
        await member.call('DELETE', at('vpcs', 'default'))
      },
    ],
    ['an affinity group: g', () => member.call('DELETE', at('affinity-groups', 'g'))],
    ['an anti affinity group: g', () => member.call('DELETE', at('anti-affinity-groups', 'g'))],
  ]
  // A disk is detached again once its snapshot is ready.
  await eventually(
    () => member.get(at('disks', 'd')),
    ({ body }) => body.state.state === 'detached',
  )
  await operator.call('PUT', '/v1/projects/full/policy', {
    role_assignments: [{ identity_type: 'silo_user', identity_id: crypto.randomUUID(), role_name: 'viewer' }],
  })
  for (const [words, remove] of blockers) {
    expect(said(await member.call('DELETE', '/v1/projects/full'))).toBe(
      `400 project to be deleted contains ${words}`,
    )
    await remove()
  }
  expect(said(await member.call('DELETE', '/v1/projects/full'))).toBe('204')
  expect(said(await member.call('DELETE', '/v1/projects/full'))).toBe(
    '404 not found: project with name "full"',
  )
  const roles = bed.db.selectFrom('role_assignment').select('role_name').where('resource_id', '=', project)
  expect(await roles.execute()).toEqual([])
  const counters = bed.db.selectFrom('provisioning').select('id').where('id', '=', project)
  expect(await counters.execute()).toEqual([])
  expect(said(await member.post('/v1/projects', { name: 'full', description: '' }))).toBe('201')
})
