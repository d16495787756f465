import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, said, type TestBed, testControlPlane } from '../../testing/control-plane.ts'

const GiB = 1024 ** 3
let bed: TestBed
let me: Caller
/** Views one of the projects. */
let viewer: Caller
let nobody: Caller
beforeAll(async () => {
  bed = await testControlPlane({ idle: true })
  me = await bed.signIn('admin')
  // What the bed brings is not seen.
  await sql`UPDATE project SET time_deleted = now() WHERE time_deleted IS NULL`.execute(bed.db)
  for (const name of ['atlas', 'borealis']) await made('/v1/projects', { name })
  const { id: borealis } = (await me.get('/v1/projects/borealis')).body
  viewer = await bed.addUser('of-borealis', { roles: [{ at: { project: borealis }, role: 'viewer' }] })
  nobody = await bed.addUser('without-role')
  await made(`/v1/vpcs?${atlas}`, { name: 'front', dns_name: 'front' })
  await made(`/v1/vpc-routers?${front}`, { name: 'detour' })
  await made(`/v1/vpc-routers?${front}`, { name: 'unused', description: 'Of last year' })
  await made(`/v1/vpc-router-routes?${front}&router=detour`, {
    name: 'out',
    destination: { type: 'ip_net', value: '0.0.0.0/0' },
    target: { type: 'drop' },
  })
  await made(`/v1/vpc-subnets?${front}`, {
    name: 'web',
    ipv4_block: '10.1.0.0/24',
    ipv6_block: await blockOf('front', 7),
    custom_router: 'detour',
  })
  await made(`/v1/vpc-subnets?${front}`, { name: 'data', ipv4_block: '10.2.0.0/16' })
  await made(`/v1/internet-gateways?${front}`, { name: 'exit' })
  await made(`/v1/internet-gateways?${front}`, { name: 'closed' })
  const [pool] = (await me.get('/v1/ip-pools')).body.items
  await made(`/v1/internet-gateway-ip-pools?${front}&gateway=exit`, { name: 'a', ip_pool: pool.id })
  await made(`/v1/internet-gateway-ip-addresses?${front}&gateway=exit`, {
    name: 'b',
    address: '198.51.100.9',
  })
  const { body: subnet } = await me.get(`/v1/vpc-subnets/data?${front}`)
  const tags = { tags: [{ key: 'env', value: 'prod' }] }
  await me.call('PUT', `/ext/v1/tags/${subnet.id}?kind=vpc-subnet`, tags)
  await made(`/v1/instances?${atlas}`, {
    name: 'one',
    hostname: 'one',
    ncpus: 1,
    memory: GiB,
    start: false,
    external_ips: [],
    network_interfaces: {
      type: 'create',
      params: [{ name: 'nic', description: '', vpc_name: 'front', subnet_name: 'web' }],
    },
  })
  const timing = { type: 'daily', at: '03:00' }
  const nightly = { name: 'nightly', action: 'stop', filter: '', timing, timezone: 'Europe/Berlin' }
  await made(`/ext/v1/schedules?${atlas}`, nightly)
  await made(`/ext/v1/schedules?${atlas}`, {
    ...nightly,
    name: 'paused',
    action: 'start',
    timezone: 'UTC',
    is_enabled: false,
  })
  await made('/ext/v1/schedules?project=borealis', { ...nightly, name: 'theirs' })
  await sql`INSERT INTO schedule_run (id, schedule_id, schedule_name, silo_id, project_id, due, state, time_begun)
    SELECT gen_random_uuid(), s.id, s.name, p.silo_id, p.id, now(), 'failed', now()
    FROM schedule s JOIN project p ON p.id = s.project_id WHERE s.name = 'nightly'`.execute(bed.db)
})
afterAll(() => bed.stop())

const atlas = 'project=atlas'
const front = `${atlas}&vpc=front`

async function made(path: string, body: object): Promise<void> {
  const answer = await me.post(path, { description: '', ...body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
}

/** A block of IPv6 in a VPC. */
async function blockOf(vpc: string, number: number): Promise<string> {
  const { ipv6_prefix } = (await me.get(`/v1/vpcs/${vpc}?${atlas}`)).body
  return String(ipv6_prefix).replace(/::\/48$/, `:${number}::/64`)
}

const query = (given: Record<string, string>): string => new URLSearchParams(given).toString()
async function found(path: string, filter: string, more = '', who = me): Promise<string> {
  const answer = await who.get(`/ext/v1/${path}?${query({ filter })}&${more}`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.items.map(({ name }: { name: string }) => name).join(' ')
}

describe('what a VPC holds', () => {
  test.each([
    ['vpc-subnets', '', 'data default web'],
    ['vpc-subnets', 'block:10.1.0.0/16', 'web'],
    ['vpc-subnets', 'block:10.1.0.200', 'web'],
    ['vpc-subnets', 'block:10.1.1.0..10.2.0.0', 'data'],
    ['vpc-subnets', '10.2.3.4', 'data'],
    ['vpc-subnets', 'block:::/1', ''],
    ['vpc-subnets', 'block:fc00::/7', 'data default web'],
    ['vpc-subnets', 'router:detour', 'web'],
    ['vpc-subnets', 'router:none', 'data default'],
    ['vpc-subnets', 'interfaces:1', 'web'],
    ['vpc-subnets', 'interfaces:0', 'data default'],
    ['vpc-subnets', 'tag:env=prod', 'data'],
    ['vpc-subnets', 'vpc:front sort:block', 'web data default'],
    ['vpc-subnets', 'sort:-name', 'web default data'],
    ['vpc-subnets', 'project:borealis', ''],
    ['vpc-routers', 'kind:system', 'system'],
    ['vpc-routers', 'routes:1 kind:custom', 'detour'],
    ['vpc-routers', 'subnet:web', 'detour'],
    ['vpc-routers', 'subnet:none kind:custom', 'unused'],
    ['vpc-routers', 'description:*year*', 'unused'],
    ['internet-gateways', 'pool:none', 'closed'],
    ['internet-gateways', '-pool:none', 'default exit'],
    ['internet-gateways', 'address:198.51.100.0/24', 'exit'],
    ['internet-gateways', '198.51.100.9', 'exit'],
    ['internet-gateways', 'address:2001:db8::/32', ''],
    ['internet-gateways', 'address:none sort:-name', 'default closed'],
  ])('%s: "%s" finds %s', async (path, filter, names) => expect(await found(path, filter, front)).toBe(names))

  test('a block of IPv6 is found by a network, a range and an address', async () => {
    const block = await blockOf('front', 7)
    const first = block.replace(/\/64$/, '')
    for (const filter of [block, `${first}..${first}9`, `${first}5`])
      expect(await found('vpc-subnets', `block:${filter}`, front), filter).toBe('web')
  })

  test('without a VPC, that of all VPCs is listed, of one project or of all', async () => {
    expect(await found('vpc-subnets', 'vpc:front', atlas)).toBe('data default web')
    expect(await found('vpc-subnets', '', atlas)).toBe('data default default web')
    expect(await found('vpc-subnets', 'default')).toBe('default default default')
    expect(await found('vpc-subnets', 'project:borealis')).toBe('default')
    const { body } = await me.get('/v1/vpcs/front?project=atlas')
    expect(await found('vpc-routers', 'kind:custom', `vpc=${body.id}`)).toBe('detour unused')
  })

  test('pages follow each other in every order', async () => {
    const seen: string[] = []
    let token = query({ filter: '-web', sort_by: 'ipv4_first_descending' })
    while (token) {
      const { body } = await me.get(
        `/ext/v1/vpc-subnets?${token}&limit=1${seen.length === 0 ? `&${front}` : ''}`,
      )
      seen.push(...body.items.map(({ name }: { name: string }) => name))
      token = body.next_page ? query({ page_token: body.next_page }) : ''
    }
    expect(seen).toEqual(['default', 'data'])
  })

  test('totals count them, say what hides them, and values come with their counts', async () => {
    const asked = `${front}&kind=vpc-subnet`
    expect((await me.get(`/ext/v1/list-totals?${asked}&filter=name:web+tag:env`)).body).toMatchObject({
      count: 0,
      all: 3,
      size: null,
      without: [
        { term: 'name:web', count: 1 },
        { term: 'tag:env', count: 1 },
      ],
    })
    const values = async (kind: string, field: string) =>
      (await me.get(`/ext/v1/list-values?${front}&kind=${kind}&field=${field}`)).body.items
    expect(await values('vpc-subnet', 'router')).toEqual([{ value: 'detour', count: 1 }])
    expect(await values('vpc-subnet', 'vpc')).toEqual([{ value: 'front', count: 3 }])
    expect(await values('vpc-router', 'kind')).toEqual([
      { value: 'custom', count: 2 },
      { value: 'system', count: 1 },
    ])
    expect(await values('internet-gateway', 'pool')).toHaveLength(1)
  })

  test('nobody finds what they may not list', async () => {
    for (const path of ['vpc-subnets', 'vpc-routers', 'internet-gateways']) {
      expect(said(await viewer.get(`/ext/v1/${path}?${front}`))).toBe(
        '404 not found: project with name "atlas"',
      )
      expect(await found(path, 'vpc:front', '', viewer)).toBe('')
      expect(await found(path, '', '', nobody)).toBe('')
      expect(await found(path, '', '', viewer)).not.toBe('')
    }
    const { id } = (await me.get(`/v1/vpcs/front?${atlas}`)).body
    for (const path of [
      'vpc-subnets?',
      'list-totals?kind=vpc-subnet&',
      'list-values?kind=vpc-subnet&field=vpc&',
    ])
      expect(said(await viewer.get(`/ext/v1/${path}vpc=${id}`))).toBe(`404 not found: vpc with id "${id}"`)
    // The pool of a gateway is found by its name only while it is linked to the silo.
    const [{ name }] = (await me.get('/v1/ip-pools')).body.items
    expect(await found('internet-gateways', `pool:${name}`, front)).toBe('default exit')
    const links = await bed.db.selectFrom('ip_pool_silo').selectAll().execute()
    await bed.db.deleteFrom('ip_pool_silo').execute()
    expect(await found('internet-gateways', `pool:${name}`, front)).toBe('')
    await bed.db.insertInto('ip_pool_silo').values(links).execute()
  })

  test('a VPC is refused where nothing of it is listed', async () => {
    for (const path of ['list-totals?kind=disk', 'list-values?kind=disk&field=state'])
      expect(said(await me.get(`/ext/v1/${path}&${front}`))).toBe(
        '400 only subnets, routers and internet gateways are in a VPC',
      )
    expect(said(await me.get(`/ext/v1/vpc-subnets?vpc=front`))).toContain(
      'vpc should either be an ID or project should be specified',
    )
    expect(said(await me.get(`/ext/v1/vpc-subnets?${front}&filter=block:house`))).toContain(
      'Write an address such as 10.0.0.7',
    )
    expect(said(await me.get(`/ext/v1/vpc-routers?${front}&filter=kind:other`))).toContain(
      'There is no kind other. Use system or custom',
    )
  })
})

test.each([
  ['', 'nightly paused'],
  ['action:stop', 'nightly'],
  ['enabled:no', 'paused'],
  ['lastrun:failed', 'nightly'],
  ['lastrun:none', 'paused'],
  ['timezone:europe/*', 'nightly'],
  ['target:none sort:-timezone', 'paused nightly'],
  ['target:anything', ''],
  ['sort:action', 'paused nightly'],
])('of the schedules of a project, "%s" finds %s', async (filter, names) =>
  expect(await found('schedules', filter, atlas)).toBe(names),
)

test('schedules of all projects are those that the caller may see', async () => {
  expect(await found('schedules', 'project:* action:stop')).toBe('nightly theirs')
  expect(await found('schedules', '', '', viewer)).toBe('theirs')
  expect(await found('schedules', 'project:atlas', '', viewer)).toBe('')
  expect(await found('schedules', '', '', nobody)).toBe('')
  expect(said(await viewer.get(`/ext/v1/schedules?${atlas}`))).toBe(
    '404 not found: project with name "atlas"',
  )
  expect((await me.get('/ext/v1/list-totals?kind=schedule&filter=lastrun:failed')).body).toMatchObject({
    count: 1,
    all: 3,
  })
  const { items } = (await me.get('/ext/v1/list-values?kind=schedule&field=lastrun')).body
  expect(items).toEqual([{ value: 'failed', count: 1 }])
  // As before they had filters.
  expect((await me.get(`/ext/v1/schedules?${atlas}&sort_by=id_ascending`)).body.items).toHaveLength(2)
})

describe('what the fleet holds', () => {
  beforeAll(async () => {
    const silo = {
      quotas: { cpus: 1, memory: GiB, storage: GiB },
      mapped_fleet_roles: {},
      tls_certificates: [],
    }
    await made('/v1/system/silos', {
      ...silo,
      name: 'forge',
      discoverable: false,
      identity_mode: 'local_only',
    })
    await made('/v1/system/ip-pools', { name: 'spare', ip_version: 'v6' })
    await made('/v1/system/ip-pools/spare/ranges/add', { first: '2001:db8::1', last: '2001:db8::ff' })
    await made('/v1/system/ip-pools/spare/silos', { silo: 'forge', is_default: false })
    await made('/v1/system/subnet-pools', { name: 'blocks', ip_version: 'v4' })
    await made('/v1/system/subnet-pools/blocks/members/add', {
      subnet: '203.0.113.0/24',
      min_prefix_length: 24,
      max_prefix_length: 28,
    })
    const { id } = (await me.get('/v1/system/silos/forge')).body
    await me.call('PUT', `/ext/v1/tags/${id}?kind=silo`, { tags: [{ key: 'env', value: 'test' }] })
  })

  test.each([
    ['system/silos', 'name:forge,demo', 'demo forge'],
    ['system/silos', 'discoverable:no name:forge', 'forge'],
    ['system/silos', 'identity:local_only users:0 -name:demo projects:0', 'forge'],
    ['system/silos', 'tag:env=test', 'forge'],
    ['system/silos', 'pool:spare', 'forge'],
    ['system/silos', 'pool:none name:forge', ''],
    ['system/ip-pools', 'range:2001:db8::/64', 'spare'],
    ['system/ip-pools', '2001:db8::7', 'spare'],
    ['system/ip-pools', 'range:2001:db8:1::/48', ''],
    ['system/ip-pools', 'version:v6 silo:forge type:unicast services:no', 'spare'],
    ['system/ip-pools', 'silo:none services:yes', 'service-pool'],
    ['system/ip-pools', 'range:none', ''],
    ['system/subnet-pools', 'subnet:203.0.113.128/25', 'blocks'],
    ['system/subnet-pools', 'version:v4 silo:none', 'blocks'],
    ['system/subnet-pools', 'subnet:192.0.2.0/24', ''],
  ])('%s: "%s"', async (path, filter, names) => {
    expect(await found(path, filter)).toBe(names)
  })

  test('values come with their counts', async () => {
    const values = async (kind: string, field: string, filter = '') =>
      (await me.get(`/ext/v1/list-values?${query({ kind, field, filter })}`)).body.items
    expect(await values('ip-pool', 'silo', 'name:spare')).toEqual([{ value: 'forge', count: 1 }])
    expect(await values('ip-pool', 'version', 'name:spare')).toEqual([{ value: 'v6', count: 1 }])
    expect(await values('silo', 'tag')).toEqual([{ value: 'env=test', count: 1 }])
    expect((await me.get('/ext/v1/list-totals?kind=silo&filter=tag:env')).body).toMatchObject({
      count: 1,
      all: 2,
    })
  })

  test('they are refused to those who may not list them, and where a place is named', async () => {
    const paths = ['list-totals?kind=', 'list-values?field=name&kind=']
    for (const kind of ['silo', 'ip-pool', 'subnet-pool'])
      for (const path of paths) expect(said(await viewer.get(`/ext/v1/${path}${kind}`))).toBe('403 Forbidden')
    for (const path of ['system/silos', 'system/ip-pools', 'system/subnet-pools'])
      expect(said(await viewer.get(`/ext/v1/${path}?filter=name:atlas`))).toBe('403 Forbidden')
    expect(said(await me.get('/ext/v1/list-totals?kind=silo&project=atlas'))).toContain('in all silos')
    expect(said(await me.get('/ext/v1/system/ip-pools?filter=version:v5'))).toContain('Use v4 or v6')
  })

  test('pages of the lists of the fleet follow each other', async () => {
    const first = (
      await me.get('/ext/v1/system/silos?limit=1&filter=name:forge,demo&sort_by=name_descending')
    ).body
    const next = (await me.get(`/ext/v1/system/silos?${query({ page_token: first.next_page })}`)).body
    expect([first, next].map(({ items }) => items.map(({ name }: { name: string }) => name))).toEqual([
      ['forge'],
      ['demo'],
    ])
  })
})

describe('projects', () => {
  beforeAll(async () => {
    const { id } = (await me.get('/v1/projects/atlas')).body
    await me.call('PUT', `/ext/v1/tags/${id}?kind=project`, { tags: [{ key: 'team', value: 'maps' }] })
    const protection = { no_delete: true, no_stop: false, reason: 'the demo' }
    await me.call('PUT', `/ext/v1/protections/${id}?kind=project`, protection)
    // One of another silo has the same name.
    await sql`INSERT INTO project (id, time_created, time_modified, name, description, silo_id)
      VALUES (gen_random_uuid(), now(), now(), 'atlas', '', gen_random_uuid())`.execute(bed.db)
    await sql`UPDATE instance SET run_state = 'failed' WHERE name = 'one'`.execute(bed.db)
  })

  test.each([
    ['', 'atlas borealis'],
    ['instances:0', 'borealis'],
    ['failed>=1', 'atlas'],
    ['-failed:0', 'atlas'],
    ['tag:team=maps', 'atlas'],
    ['tag:none', 'borealis'],
    ['name:*a* sort:-name', 'borealis atlas'],
    ['sort:-created', 'borealis atlas'],
    ['created<1h instances<=1', 'atlas borealis'],
    ['created>1h', ''],
    ['real', 'borealis'],
    ['protected:yes', 'atlas'],
  ])('"%s" finds %s', async (filter, names) => expect(await found('projects', filter)).toBe(names))

  test('without a filter they come as in the plain list, page by page', async () => {
    const plain = (await me.get('/v1/projects')).body.items
    expect((await me.get('/ext/v1/projects')).body.items).toEqual(plain)
    const first = (await me.get('/ext/v1/projects?limit=1&filter=name:*&sort_by=name_descending')).body
    expect(first.items[0].name).toBe('borealis')
    const next = (await me.get(`/ext/v1/projects?limit=1&${query({ page_token: first.next_page })}`)).body
    expect(next.items[0].name).toBe('atlas')
    const byId = (await me.get('/ext/v1/projects?sort_by=id_ascending')).body.items
    expect(byId.map(({ id }: { id: string }) => id)).toEqual(plain.map(({ id }: { id: string }) => id).sort())
  })

  test('totals count those of the silo, and say what hides them', async () => {
    expect((await me.get('/ext/v1/list-totals?kind=project&filter=instances:0+tag:team')).body).toMatchObject(
      {
        count: 0,
        all: 2,
        without: [
          { term: 'instances:0', count: 1 },
          { term: 'tag:team', count: 1 },
        ],
      },
    )
    expect((await me.get('/ext/v1/list-values?kind=project&field=tag')).body.items).toEqual([
      { value: 'team=maps', count: 1 },
    ])
  })

  test('who may not list them finds none, also not by totals and values', async () => {
    for (const who of [viewer, nobody])
      for (const path of [
        'projects?filter=name:atlas',
        'list-totals?kind=project',
        'list-values?kind=project&field=tag',
      ])
        expect(said(await who.get(`/ext/v1/${path}`))).toBe('403 Forbidden')
    const reader = await bed.addUser('reads-all', { roles: [{ at: 'silo', role: 'viewer' }] })
    expect(await found('projects', 'failed>=1', '', reader)).toBe('atlas')
  })

  test('what cannot be read is refused, and so is a place', async () => {
    expect(said(await me.get('/ext/v1/projects?filter=silo:demo'))).toContain('silo')
    expect(said(await me.get('/ext/v1/projects?filter=failed:many'))).toContain('400')
    expect(said(await me.get('/ext/v1/projects?sort_by=description_ascending'))).toContain('400')
    for (const place of ['project=atlas', 'vpc=front', 'silo_only=true'])
      expect(said(await me.get(`/ext/v1/list-totals?kind=project&${place}`))).toBe(
        '400 projects are in a silo and in no project',
      )
  })

  test('pages stay whole while projects are created and renamed', async () => {
    const first = (await me.get('/ext/v1/projects?limit=1&filter=name:*')).body
    const names = ['aa-1', 'aa-2', 'calypso', 'delos']
    await Promise.all(names.map((name) => made('/v1/projects', { name })))
    const [renamed] = await Promise.all([
      me.call('PUT', '/v1/projects/aa-2', { name: 'echo' }),
      me.get('/ext/v1/projects?filter=name:aa-*'),
    ])
    expect(said(renamed)).toBe('200')
    const { items } = (await me.get(`/ext/v1/projects?${query({ page_token: first.next_page })}`)).body
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['borealis', 'calypso', 'delos', 'echo'])
    await sql`UPDATE project SET time_deleted = now() WHERE name NOT IN ('atlas', 'borealis')`.execute(bed.db)
  })
})

describe('templates of instances', () => {
  beforeAll(async () => {
    const { id } = (await me.get('/v1/projects/atlas')).body
    const image = async (name: string, at: string) => {
      await sql`INSERT INTO image (id, time_created, time_modified, name, description, silo_id, project_id, os, version,
          size, block_size, content_id)
        SELECT gen_random_uuid(), now(), now(), ${name}, '', p.silo_id, ${sql.raw(at)}, 'debian', '13', ${GiB}, 512,
          gen_random_uuid() FROM project p WHERE p.id = ${id}`.execute(bed.db)
      const { rows } = await sql<{ id: string }>`SELECT id FROM image WHERE name = ${name}`.execute(bed.db)
      return rows[0]?.id ?? ''
    }
    const shared = await image('debian-of-silo', 'NULL')
    const at = '/ext/v1/instance-templates'
    const hardware = (ncpus: number) => ({ hardware: { ncpus, memory: ncpus * GiB } })
    await made(`${at}?${atlas}`, { name: 'small', settings: hardware(1), fixed: ['hardware', 'tags'] })
    await made(`${at}?${atlas}`, {
      name: 'large',
      settings: {
        ...hardware(8),
        boot_source: { type: 'image', image_id: shared },
        boot_size: GiB,
        user_data: 'aGVsbG8=',
      },
    })
    await made(`${at}?${atlas}`, { name: 'open', description: 'Without hardware', settings: {} })
    await made(`${at}?project=borealis`, { name: 'theirs', settings: hardware(2) })
    await made(at, { name: 'of-silo', settings: hardware(4), fixed: ['start'] })
  })

  test.each([
    ['', 'large open small'],
    ['cpu>=2', 'large'],
    ['cpu:none', 'open'],
    ['memory<=1GiB', 'small'],
    ['memory:none', 'open'],
    ['image:debian*', 'large'],
    ['image:none', 'open small'],
    ['-image:none', 'large'],
    ['fixed:hardware', 'small'],
    ['fixed:hardware,start', 'small'],
    ['fixed:none', 'large open'],
    ['userdata:yes', 'large'],
    ['userdata:no sort:-name', 'small open'],
    ['description:*hardware*', 'open'],
    ['name:of-silo', ''],
  ])('of a project, "%s" finds %s', async (filter, names) =>
    expect(await found('instance-templates', filter, atlas)).toBe(names),
  )

  test('without a project, those of the silo are found, and only those', async () => {
    expect(await found('instance-templates', '')).toBe('of-silo')
    expect(await found('instance-templates', 'cpu:4 fixed:start')).toBe('of-silo')
    expect(await found('instance-templates', 'name:small')).toBe('')
    const totals = async (more: string) =>
      (await me.get(`/ext/v1/list-totals?kind=instance-template${more}`)).body
    expect(await totals('')).toMatchObject({ count: 1, all: 1 })
    expect(await totals('&silo_only=true')).toMatchObject({ count: 1, all: 1 })
    expect(await totals(`&${atlas}&filter=cpu:1+userdata:yes`)).toMatchObject({
      count: 0,
      all: 3,
      without: [
        { term: 'cpu:1', count: 1 },
        { term: 'userdata:yes', count: 1 },
      ],
    })
  })

  test('values come with their counts, and pages follow each other', async () => {
    const values = async (field: string) =>
      (await me.get(`/ext/v1/list-values?kind=instance-template&field=${field}&${atlas}`)).body.items
    expect(await values('fixed')).toEqual([
      { value: 'hardware', count: 1 },
      { value: 'tags', count: 1 },
    ])
    expect(await values('image')).toEqual([{ value: 'debian-of-silo', count: 1 }])
    expect(await values('cpu')).toEqual([
      { value: '1', count: 1 },
      { value: '8', count: 1 },
    ])
    const at = '/ext/v1/instance-templates'
    const first = (await me.get(`${at}?limit=2&filter=userdata:no&sort_by=name_descending&${atlas}`)).body
    const next = (await me.get(`${at}?${query({ page_token: first.next_page })}`)).body
    expect([first, next].map(({ items }) => items.map(({ name }: { name: string }) => name))).toEqual([
      ['small', 'open'],
      [],
    ])
    const ofSilo = (await me.get(`${at}?limit=1`)).body
    expect((await me.get(`${at}?${query({ page_token: ofSilo.next_page })}`)).body.items).toEqual([])
  })

  test('nobody finds what they may not list, or learns which images of the silo they use', async () => {
    expect(said(await viewer.get(`/ext/v1/instance-templates?filter=cpu:1&${atlas}`))).toBe(
      '404 not found: project with name "atlas"',
    )
    expect(await found('instance-templates', 'cpu:2', 'project=borealis', viewer)).toBe('theirs')
    for (const path of [
      'instance-templates?filter=cpu:4',
      'list-totals?kind=instance-template',
      'list-totals?kind=instance-template&silo_only=true',
      'list-values?kind=instance-template&field=cpu',
    ])
      expect(said(await viewer.get(`/ext/v1/${path}`)), path).toBe('403 Forbidden')
    const inAtlas = await bed.addUser('of-atlas', {
      roles: [{ at: { project: (await me.get('/v1/projects/atlas')).body.id }, role: 'viewer' }],
    })
    expect(await found('instance-templates', 'image:debian*', atlas, inAtlas)).toBe('')
    expect(await found('instance-templates', 'image:debian*', atlas)).toBe('large')
    const { body } = await inAtlas.get(`/ext/v1/list-values?kind=instance-template&field=image&${atlas}`)
    expect(body.items).toEqual([])
  })

  test('what cannot be read is refused, and so is a VPC', async () => {
    expect(said(await me.get(`/ext/v1/instance-templates?${atlas}&filter=fixed:colour`))).toContain(
      'There is no',
    )
    expect(said(await me.get(`/ext/v1/instance-templates?${atlas}&filter=cpu:lots`))).toContain('400')
    expect(said(await me.get('/ext/v1/list-totals?kind=instance-template&vpc=front'))).toBe(
      '400 only subnets, routers and internet gateways are in a VPC',
    )
  })
})
