import { fieldsOf, filteredKinds, listKinds } from '@gantry/api/filter/list-kinds.rules'
import { sql } from 'kysely'
import { defaultSettings } from '../../settings.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, said, type TestBed, testControlPlane } from '../../testing/control-plane.ts'

const GiB = 1024 ** 3
let bed: TestBed
let me: Caller
let elsewhere: Caller
let now = new Date('2025-11-29T12:00:00Z')
const most = 25_000
beforeAll(async () => {
  bed = await testControlPlane({
    idle: true,
    environment: {
      clock: () => now,
      settings: { ...defaultSettings, limits: { ...defaultSettings.limits, filter_examined_rows: most } },
    },
  })
  me = await bed.signIn('admin')
  // What the bed brings is not seen.
  for (const table of ['project', 'image', 'instance', 'disk'])
    await sql`UPDATE ${sql.table(table)} SET time_deleted = now() WHERE time_deleted IS NULL`.execute(bed.db)
  for (const name of ['atlas', 'borealis']) await made('/v1/projects', { name, description: '' })
  const { id: borealis } = (await me.get('/v1/projects/borealis')).body
  elsewhere = await bed.addUser('elsewhere', { roles: [{ at: { project: borealis }, role: 'viewer' }] })
  await instance('atlas', 'web-1', { ncpus: 2, memory: 4 * GiB, description: 'Serves 100% of pages' })
  await instance('atlas', 'web-2', { ncpus: 4, memory: 16 * GiB, hostname: 'front' })
  await instance('atlas', 'db-1', { ncpus: 8, memory: 32 * GiB, network_interfaces: { type: 'none' } })
  await instance('borealis', 'web-3', { ncpus: 2, memory: 8 * GiB })
  await sql`UPDATE instance SET run_state = 'failed' WHERE name = 'web-2'`.execute(bed.db)
  const ages: [string, string][] = [
    ['web-1', '2025-11-28T12:00:00Z'],
    ['web-2', '2025-11-15T12:00:00Z'],
    ['db-1', '2025-06-01T12:00:00Z'],
    ['web-3', '2025-11-29T11:00:00Z'],
  ]
  for (const [name, time] of ages)
    await sql`UPDATE instance SET time_created = ${time}::timestamptz WHERE name = ${name}`.execute(bed.db)
  const blank = { type: 'blank', block_size: 512 }
  for (const [project, name, size] of [
    ['atlas', 'data-1', 10],
    ['atlas', 'data-2', 20],
    ['borealis', 'data-3', 30],
  ])
    await made(`/v1/disks?project=${project}`, {
      name,
      description: '',
      size: Number(size) * GiB,
      disk_source: blank,
    })
  await made('/v1/snapshots?project=atlas', { name: 'nightly', description: '', disk: 'data-1' })
  for (const [project, name] of [
    ['atlas', 'debian-13'],
    ['borealis', 'debian-12'],
  ]) {
    await sql`INSERT INTO image (id, time_created, time_modified, name, description, silo_id, project_id, os, version,
        block_size, size, content_id)
      SELECT gen_random_uuid(), now(), now(), ${name}, '', p.silo_id, p.id, 'Debian', ${name?.slice(-2)}, 512, ${GiB}, 'x'
      FROM project p WHERE p.name = ${project}`.execute(bed.db)
  }
  await sql`INSERT INTO image (id, time_created, time_modified, name, description, silo_id, project_id, os, version,
      block_size, size, content_id)
    SELECT gen_random_uuid(), now(), now(), 'silo-image', '', p.silo_id, NULL, 'Debian', '1', 512, ${GiB}, 'x'
    FROM project p WHERE p.name = 'atlas'`.execute(bed.db)
  await sql`UPDATE image SET content_id = (SELECT content_id FROM snapshot WHERE name = 'nightly')
    WHERE name = 'debian-13'`.execute(bed.db)
  const boot = (of: string, image: string, slot: number) =>
    sql`WITH made AS (
      INSERT INTO disk (id, time_created, time_modified, name, description, project_id, size, block_size, state,
        instance_id, slot, image_id, content_id)
      SELECT gen_random_uuid(), now(), now(), ${`boot-${of}`}, '', i.project_id, ${5 * GiB}, 512, 'attached', i.id, ${slot},
        m.id, 'y' FROM instance i, image m WHERE i.time_deleted IS NULL AND m.time_deleted IS NULL AND i.name = ${of} AND m.name = ${image} RETURNING id, instance_id)
    UPDATE instance SET boot_disk_id = made.id FROM made WHERE instance.id = made.instance_id`.execute(bed.db)
  await boot('web-1', 'debian-13', 0)
  await boot('web-2', 'silo-image', 0)
  await boot('web-3', 'silo-image', 0)
  await tagged('instance', 'instances/web-1?project=atlas', { env: 'prod', team: 'Payments' })
  await tagged('instance', 'instances/web-2?project=atlas', { env: 'prod-eu' })
  await tagged('instance', 'instances/web-3?project=borealis', { env: 'test' })
  await tagged('disk', 'disks/data-1?project=atlas', { env: 'prod' })
  await tagged('image', 'images/silo-image', { env: 'prod' })
  await sql`UPDATE instance SET protection = '{"no_delete":true}' WHERE name = 'db-1'`.execute(bed.db)
  const [pool] = (await me.get('/v1/ip-pools')).body.items
  await made('/v1/floating-ips?project=atlas', {
    name: 'entry',
    description: '',
    address_allocator: { type: 'auto', pool_selector: { type: 'explicit', pool: pool.id } },
  })
})
afterAll(() => bed.stop())

async function made(path: string, body: object): Promise<void> {
  const answer = await me.post(path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
}
async function tagged(kind: string, path: string, tags: Record<string, string>): Promise<void> {
  const { id } = (await me.get(`/v1/${path}`)).body
  const list = Object.entries(tags).map(([key, value]) => ({ key, value }))
  const answer = await me.call('PUT', `/ext/v1/tags/${id}?kind=${kind}`, { tags: list })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}
const instance = (project: string, name: string, more: object) =>
  made(`/v1/instances?project=${project}`, {
    name,
    description: '',
    hostname: name,
    start: false,
    external_ips: [],
    ...more,
  })

const query = (given: Record<string, string>): string => new URLSearchParams(given).toString()
async function found(filter: string, more: Record<string, string> = {}, path = 'instances', who = me) {
  const answer = await who.get(`/ext/v1/${path}?${query({ filter, ...more })}`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.items.map(({ name }: { name: string }) => name).join(' ')
}

const everything = 'db-1 web-1 web-2 web-3'
describe('instances of all projects', () => {
  test.each([
    ['', everything],
    ['name:web*', 'web-1 web-2 web-3'],
    ['name:web-1,db-1', 'db-1 web-1'],
    ['name:WEB-1', 'web-1'],
    ['name:*-1', 'db-1 web-1'],
    ['name:w_b*', ''],
    ['-name:web*', 'db-1'],
    ['state:failed', 'web-2'],
    ['state:failed or name:db*', 'db-1 web-2'],
    ['not (state:failed or name:db*)', 'web-1 web-3'],
    ['cpu:2', 'web-1 web-3'],
    ['cpu:4..8', 'db-1 web-2'],
    ['cpu>2 cpu<8', 'web-2'],
    ['memory>=8GiB', 'db-1 web-2 web-3'],
    ['memory:..8GiB', 'web-1 web-3'],
    ['created<2h', 'web-3'],
    ['created<7d', 'web-1 web-3'],
    ['created>30d', 'db-1'],
    ['created:2025-11', 'web-1 web-2 web-3'],
    ['created<2025-11-15', 'db-1'],
    ['created<=2025-11-15', 'db-1 web-2'],
    ['created>99999y', ''],
    ['memory<999999999TiB', everything],
    ['hostname:front', 'web-2'],
    ['tag:env=prod', 'web-1'],
    ['tag:env=prod*', 'web-1 web-2'],
    ['tag:env=prod,env=test', 'web-1 web-3'],
    ['tag:env -tag:env=test', 'web-1 web-2'],
    ['tag:ENV=PROD*', 'web-1 web-2'],
    ['tag:env=PROD', ''],
    ['tag:team', 'web-1'],
    ['tag:"env=prod*"', ''],
    ['tag:none', 'db-1'],
    ['tag:none,env=test', 'db-1 web-3'],
    ['-tag:env=prod', 'db-1 web-2 web-3'],
    ['description:*100%*', 'web-1'],
    ['"100%"', 'web-1'],
    ['PAGES', 'web-1'],
    ['eb-3', 'web-3'],
    ['"web*"', ''],
    ['w*3', 'web-3'],
    ['image:debian*', 'web-1'],
    ['image:silo-image', 'web-2 web-3'],
    ['image:none', 'db-1'],
    ['image:none,debian-13', 'db-1 web-1'],
    ['-image:silo-image', 'db-1 web-1'],
    ['vpc:default', 'web-1 web-2 web-3'],
    ['vpc:none', 'db-1'],
    ['internal:none', 'db-1'],
    ['ip:none', 'db-1'],
    ['ip:0.0.0.0/0', 'web-1 web-2 web-3'],
    ['ip:255.0.0.0/8', ''],
    ['ip:fd00::/8', ''],
    ['-ip:fd00::/8', everything],
    ['mac:a8:40:25:*', 'web-1 web-2 web-3'],
    ['disk:boot-web-1', 'web-1'],
    ['disk:none', 'db-1'],
    ['sled:none', everything],
    ['sled:*', ''],
    ['project:atlas', 'db-1 web-1 web-2'],
    ['project:b*', 'web-3'],
    ['protected:yes', 'db-1'],
    ['protected:no', 'web-1 web-2 web-3'],
    ['sort:-name', 'web-3 web-2 web-1 db-1'],
    ['sort:-memory name:web*', 'web-2 web-3 web-1'],
    ['sort:created', 'db-1 web-2 web-1 web-3'],
  ])('%s finds %s', async (filter, names) => expect(await found(filter)).toBe(names))

  test('by the address and id of one', async () => {
    const { items } = (await me.get('/v1/network-interfaces?project=atlas&instance=web-2')).body
    const [{ ip, mac, instance_id }] = items
    // Both projects have a VPC with the same block, so another instance can have the address.
    expect(await found(`ip:${ip}`, { project: 'atlas' })).toBe('web-2')
    expect(await found(String(ip), { project: 'atlas' })).toBe('web-2')
    expect(await found(`mac:${mac}`, { project: 'atlas' })).toBe('web-2')
    expect(await found(`id:${instance_id}`)).toBe('web-2')
    expect(await found(`${instance_id.slice(0, 13)}`)).toBe('web-2')
    const { id } = (await me.get('/v1/projects/borealis')).body
    expect(await found(`project:${id}`)).toBe('web-3')
  })

  test.each(['', 'name:web*', 'sort:-cpu', 'sort:created'])(
    'pages of "%s" have every row once',
    async (filter) => {
      const whole = await found(filter)
      for (const limit of [1, 3]) {
        const seen: string[] = []
        let { body } = await me.get(`/ext/v1/instances?${query({ filter, limit: String(limit) })}`)
        while (body.items.length > 0) {
          seen.push(...body.items.map(({ name }: { name: string }) => name))
          ;({ body } = await me.get(
            `/ext/v1/instances?limit=${limit}&page_token=${encodeURIComponent(body.next_page)}`,
          ))
        }
        expect(seen.join(' ')).toBe(whole)
      }
    },
  )

  test('the longest filter fits into its token', async () => {
    const filter = `-"${'\u{10ffff}'.repeat(248)}"`
    const { body } = await me.get(`/ext/v1/instances?${query({ filter, limit: '1' })}`)
    expect((await me.get(`/ext/v1/instances?${query({ page_token: body.next_page })}`)).status).toBe(200)
    const quoted = `-"${String.raw`\"`.repeat(248)}"`
    const { next_page } = (await me.get(`/ext/v1/instances?${query({ filter: quoted, limit: '1' })}`)).body
    expect((await me.get(`/ext/v1/instances?${query({ page_token: next_page })}`)).status).toBe(200)
  })

  test('combines with the parameters of before', async () => {
    expect(await found('cpu:2', { name: 'web', state: 'stopped', project: 'atlas' })).toBe('web-1')
    expect(await found('cpu:2', { sort_by: 'name_descending' })).toBe('web-3 web-1')
    expect(await found('cpu:2 sort:name', { sort_by: 'name_descending' })).toBe('web-3 web-1')
  })
})

test.each([
  ['disks', '', 'boot-web-1 boot-web-2 boot-web-3 data-1 data-2 data-3'],
  ['disks', 'state:detached size>=20GiB', 'data-2 data-3'],
  ['disks', 'instance:web-1', 'boot-web-1'],
  ['disks', 'instance:none sort:-size', 'data-3 data-2 data-1'],
  ['disks', 'tag:env=prod', 'data-1'],
  ['disks', 'image:debian*', 'boot-web-1'],
  ['disks', '-image:none', 'boot-web-1 boot-web-2 boot-web-3'],
  ['disks', 'snapshot:none project:borealis', 'boot-web-3 data-3'],
  ['snapshots', 'disk:data-1', 'nightly'],
  ['snapshots', 'disk:none', ''],
  ['images', 'snapshot:nightly', 'debian-13'],
  ['images', 'snapshot:night* project:borealis', ''],
  ['images', 'snapshot:none', 'debian-12 silo-image'],
  ['images', '', 'debian-12 debian-13 silo-image'],
  ['images', 'project:none', 'silo-image'],
  ['images', 'tag:env', 'silo-image'],
  ['images', 'os:debian version:1*', 'debian-12 debian-13 silo-image'],
  ['images', 'os:debian sort:-version', 'debian-13 debian-12 silo-image'],
  ['floating-ips', 'instance:none', 'entry'],
  ['floating-ips', 'ip:0.0.0.0/1,128.0.0.0/1 sort:ip', 'entry'],
  ['vpcs', 'instance:web-3', 'default'],
  ['vpcs', 'project:atlas', 'default'],
  ['vpcs', 'instance:none project:atlas', ''],
  ['vpcs', 'dns:default project:atlas sort:dns', 'default'],
])('%s: "%s" finds %s', async (path, filter, names) => expect(await found(filter, {}, path)).toBe(names))

test('with a project, images of the silo are left out as in the plain list', async () => {
  expect(await found('', { project: 'atlas' }, 'images')).toBe('debian-13')
})

test("the silo's own images are found alone, by those who may see them", async () => {
  const alone = { silo_only: 'true' }
  expect(await found('', alone, 'images')).toBe('silo-image')
  expect(await found('debian', alone, 'images')).toBe('')
  expect(await found('', alone, 'images', elsewhere)).toBe('')
  const counted = await me.get(`/ext/v1/list-totals?${query({ kind: 'image', ...alone })}`)
  expect(counted.body).toMatchObject({ count: 1, all: 1, size: GiB })
  expect(said(await me.get(`/ext/v1/images?${query({ project: 'atlas', ...alone })}`))).toContain(
    'either a project or silo_only may be given',
  )
})

test('finds nothing that the caller may not see, and by nothing that they may not see', async () => {
  expect(await found('', {}, 'instances', elsewhere)).toBe('web-3')
  expect(await found('project:atlas', {}, 'instances', elsewhere)).toBe('')
  expect(await found('', {}, 'images', elsewhere)).toBe('debian-12')
  // An image of the silo shows in no relation to callers who may not see it.
  expect(await found('image:silo-image', {}, 'instances', elsewhere)).toBe('')
  expect(await found('image:silo*', { project: 'borealis' }, 'disks', elsewhere)).toBe('')
  expect(said(await elsewhere.get('/ext/v1/instances?project=atlas'))).toBe(
    '404 not found: project with name "atlas"',
  )
  const nobody = await bed.addUser('nobody')
  for (const path of ['instances', 'disks', 'snapshots', 'images', 'floating-ips', 'vpcs'])
    expect(await found('', {}, path, nobody)).toBe('')
  const totals = await elsewhere.get('/ext/v1/list-totals?kind=instance')
  expect(totals.body).toMatchObject({ count: 1, all: 1, ncpus: 2, memory: 8 * GiB, size: 5 * GiB })
  const values = await elsewhere.get('/ext/v1/list-values?kind=instance&field=image')
  expect(values.body.items).toEqual([])
  for (const [path, more] of [
    ['instances', ''],
    ['list-totals', '&kind=instance'],
    ['list-values', '&kind=instance&field=state'],
  ])
    expect(said(await elsewhere.get(`/ext/v1/${path}?filter=sled:*${more}`))).toContain(
      '400 unsupported value for "filter": Only operators can filter their lists by sled. Remove this term.',
    )
  expect(said(await elsewhere.get('/ext/v1/list-values?kind=instance&field=sled'))).toContain(
    'are not listed',
  )
})

test('operators find the instances of all silos by what they may see of them, and nobody else does', async () => {
  const other = crypto.randomUUID()
  await sql`INSERT INTO silo (id, time_created, time_modified, name, description, discoverable, identity_mode, mapped_fleet_roles)
    SELECT ${other}::uuid, now(), now(), 'forge', '', true, identity_mode, '{}'::jsonb FROM silo WHERE name = 'demo'`.execute(
    bed.db,
  )
  const far = await bed.addUser('far-away', { siloId: other, roles: [{ at: 'silo', role: 'admin' }] })
  await made('/v1/projects', { name: 'theirs', description: '' })
  await instance('theirs', 'forged', { ncpus: 1, memory: GiB, description: 'secret' })
  await sql`UPDATE project SET silo_id = ${other} WHERE name = 'theirs'`.execute(bed.db)
  const path = 'system/instances'
  expect(await found('', {}, path)).toBe('db-1 forged web-1 web-2 web-3')
  expect(await found('silo:forge', {}, path)).toBe('forged')
  expect(await found('project:atlas state:failed', {}, path)).toBe('web-2')
  expect(await found('sled:none forged', {}, path)).toBe('forged')
  // A description is none of what they may see.
  expect(await found('secret', {}, path)).toBe('')
  expect(said(await me.get(`/ext/v1/${path}?filter=description:secret`))).toContain('There is no field')
  const [first] = (await me.get(`/ext/v1/${path}?filter=forged`)).body.items
  expect(first).toMatchObject({ silo_name: 'forge', project_name: 'theirs', sled: null, ncpus: 1 })
  expect(Object.keys(first)).not.toContain('description')
  expect((await me.get('/ext/v1/list-totals?kind=fleet-instance&filter=silo:forge')).body).toMatchObject({
    count: 1,
    all: 5,
  })
  const values = await me.get('/ext/v1/list-values?kind=fleet-instance&field=silo')
  expect(values.body.items).toEqual([
    { value: 'demo', count: 4 },
    { value: 'forge', count: 1 },
  ])
  for (const who of [far, elsewhere])
    for (const each of [
      path,
      'list-totals?kind=fleet-instance',
      'list-values?kind=fleet-instance&field=silo',
    ])
      expect(said(await who.get(`/ext/v1/${each}`))).toBe('403 Forbidden')
  await sql`UPDATE project SET time_deleted = now() WHERE name = 'theirs'`.execute(bed.db)
  await sql`UPDATE instance SET time_deleted = now() WHERE name = 'forged'`.execute(bed.db)
})

test('an instance is found without interfaces exactly while it has none', async () => {
  const project = 'project=borealis'
  const at = `instance=lone&${project}`
  const nic = { name: 'first', description: '', vpc_name: 'default', subnet_name: 'default' }
  const without = () => found('internal:none project:borealis')
  const removed = async (path: string) => expect((await me.call('DELETE', path)).status, path).toBe(204)
  await made(`/v1/vpc-subnets?vpc=default&${project}`, {
    name: 'second',
    description: '',
    ipv4_block: '10.9.0.0/24',
  })
  await instance('borealis', 'lone', { ncpus: 1, memory: GiB, network_interfaces: { type: 'none' } })
  expect(await without()).toBe('lone')
  await made(`/v1/network-interfaces?${at}`, nic)
  await made(`/v1/network-interfaces?${at}`, { ...nic, name: 'other', subnet_name: 'second' })
  expect(await without()).toBe('')
  await removed(`/v1/network-interfaces/other?${at}`)
  expect(await without()).toBe('')
  await removed(`/v1/network-interfaces/first?${at}`)
  expect(await without()).toBe('lone')
  await made(`/v1/network-interfaces?${at}`, { ...nic, subnet_name: 'second' })
  // Restored after its subnet is gone, it has lost its interface.
  await removed(`/v1/instances/lone?${project}`)
  await removed(`/v1/vpc-subnets/second?vpc=default&${project}`)
  expect(await without()).toBe('')
  const { items } = (await me.get(`/ext/v1/recycle-bin?${project}`)).body
  const item = items.find(({ name }: { name: string }) => name === 'lone')
  expect((await me.post(`/ext/v1/recycle-bin/${item.id}/restore`, {})).status).toBe(201)
  expect(await without()).toBe('lone')
  await removed(`/v1/instances/lone?${project}`)
})

test('a filter that cannot be read is refused with its place and what to write', async () => {
  const answer = await me.get(`/ext/v1/instances?${query({ filter: 'name:a colour:red' })}`)
  expect(answer.status).toBe(400)
  expect(answer.body.message).toContain(
    'unsupported value for "filter": There is no field colour here. Use name, id,',
  )
  expect(answer.body).toMatchObject({ details: { from: 7, to: 17 } })
})

const totals = async (filter: string, kind = 'instance') =>
  (await me.get(`/ext/v1/list-totals?${query({ kind, filter })}`)).body

test('totals add up what matches', async () => {
  expect(await totals('name:web*')).toEqual({
    count: 3,
    all: 4,
    ncpus: 8,
    memory: 28 * GiB,
    size: 15 * GiB,
    without: [],
  })
  expect(await totals('', 'disk')).toMatchObject({ count: 6, ncpus: null, memory: null, size: 75 * GiB })
  expect(await totals('', 'vpc')).toMatchObject({ size: null })
})

test('where nothing matches, totals say what each term hides', async () => {
  expect(await totals('name:web* state:failed cpu:2')).toMatchObject({
    count: 0,
    without: [
      { term: 'name:web*', count: 0 },
      { term: 'state:failed', count: 2 },
      { term: 'cpu:2', count: 1 },
    ],
  })
  expect(await totals('state:running')).toMatchObject({ without: [{ term: 'state:running', count: 4 }] })
})

test('values come with their counts, the most frequent first', async () => {
  const values = async (more: Record<string, string>): Promise<string> =>
    (await me.get(`/ext/v1/list-values?${query({ kind: 'instance', ...more })}`)).body.items
      .map(({ value, count }: { value: string; count: number }) => `${value} ${count}`)
      .join(', ')
  expect(await values({ field: 'state' })).toBe('stopped 3, failed 1')
  expect(await values({ field: 'image' })).toBe('silo-image 2, debian-13 1')
  expect(await values({ field: 'tag', prefix: 'env=p' })).toBe('env=prod 1, env=prod-eu 1')
  expect(await values({ field: 'image', prefix: 'DEB' })).toBe('debian-13 1')
  expect(await values({ field: 'image', filter: 'state:failed' })).toBe('silo-image 1')
  expect(await values({ field: 'vpc' })).toBe('default 3')
  expect(await values({ field: 'project' })).toBe('atlas 3, borealis 1')
  expect(await values({ field: 'cpu' })).toBe('2 2, 4 1, 8 1')
  expect(await values({ field: 'sled' })).toBe('')
  expect(await values({ kind: 'image', field: 'os' })).toBe('Debian 3')
  expect(said(await me.get('/ext/v1/list-values?kind=instance&field=mac'))).toBe(
    '400 unsupported value for "field": values of mac are not listed',
  )
})

test('every field of every kind has its column, and every order its list', async () => {
  const statuses = new Set<string>()
  const ask = async (path: string): Promise<void> => void statuses.add(said(await me.get(`/ext/v1/${path}`)))
  for (const kind of filteredKinds)
    for (const [name, { example, sortsAs, isSuggested, canLack }] of Object.entries(fieldsOf(kind))) {
      const filters = [example, `-${example}`]
      if (sortsAs !== undefined) filters.push(`sort:-${name}`)
      if (canLack) filters.push(`${name}:none`)
      for (const filter of filters) await ask(`${listKinds[kind].path}?${query({ filter })}`)
      if (isSuggested) await ask(`list-values?${query({ kind, field: name })}`)
    }
  expect([...statuses]).toEqual(['200'])
})

test('lists of very many objects come from each project in order, and beyond that name a project', async () => {
  const fill = (project: string, from: number, to: number) =>
    sql`INSERT INTO vpc (id, time_created, time_modified, name, description, project_id, system_router_id, ipv6_prefix,
        dns_name, vni)
      SELECT gen_random_uuid(), now(), now(), 'many-' || lpad(n::text, 6, '0'), '', p.id, gen_random_uuid(), '',
        'd', 1000000 + n FROM generate_series(${from}::int, ${to}::int) n, project p WHERE p.name = ${project}
        AND p.time_deleted IS NULL`.execute(bed.db)
  await fill('atlas', 0, 11_000)
  await fill('borealis', 11_001, 22_000)
  // The size of a place is known for a while.
  now = new Date(now.getTime() + 60_000)
  expect(await found('name:many* sort:-name', { limit: '2' }, 'vpcs')).toBe('many-022000 many-021999')
  expect(await found('name:many-0109*', { limit: '2' }, 'vpcs')).toBe('many-010900 many-010901')
  expect(await found('name:many-0110*', { limit: '2' }, 'vpcs')).toBe('many-011000 many-011001')
  await fill('atlas', 22_001, most + 1)
  now = new Date(now.getTime() + 60_000)
  for (const path of ['vpcs?', 'list-totals?kind=vpc', 'list-values?kind=vpc&field=project'])
    expect(said(await me.get(`/ext/v1/${path}`))).toBe(
      `400 more than ${most} objects would have to be searched`,
    )
  expect(await found('many-011001', { project: 'borealis' }, 'vpcs')).toBe('many-011001')
  // One project of very many: among its first objects, and by an index beyond them.
  await fill('atlas', 30_001, 37_000)
  now = new Date(now.getTime() + 60_000)
  const inAtlas = (filter: string) => found(filter, { limit: '2', project: 'atlas' }, 'vpcs')
  expect(await inAtlas('name:many-0001*')).toBe('many-000100 many-000101')
  expect(await inAtlas('name:many-0369*')).toBe('many-036900 many-036901')
  expect(await inAtlas('many-036999')).toBe('many-036999')
  expect(await inAtlas('name:many-0001* sort:-name')).toBe('many-000199 many-000198')
  expect(await inAtlas('name:many-0369* or vpc-of-nobody')).toBe('many-036900 many-036901')
  const path = `/ext/v1/vpcs?${query({ limit: '2', project: 'atlas' })}`
  const { next_page } = (await me.get(`${path}&${query({ filter: 'name:many-0369*' })}`)).body
  const next = (await me.get(`${path}&${query({ page_token: next_page })}`)).body
  expect(next.items.map(({ name }: { name: string }) => name)).toEqual(['many-036902', 'many-036903'])
})
