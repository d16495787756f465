import { affinityLimits } from '@gantry/api/compute/affinity.rules'
import { instanceLimits } from '@gantry/api/compute/instance.rules'
import { parseIpv4 } from '@gantry/control-plane/modules/network/addresses/ip'
import { ipv4Stretch } from '@gantry/control-plane/modules/network/addresses/stretch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  type Caller,
  said,
  settledJobs,
  type TestBed,
  testControlPlane,
  usersChanges,
} from '@gantry/control-plane/testing/control-plane'

const GiB = 1024 ** 3
const text = (of: string) => new TextEncoder().encode(of)
let bed: TestBed
let me: Caller
let viewer: Caller
let project: string
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
  project = (await me.get('/v1/projects/playground')).body.id
})
afterAll(() => bed.stop())

const at = (path: string): string => `/v1/${path}?project=playground`
const blank = { type: 'blank', block_size: 512 }
const newDisk = (name: string, more: object = {}) => ({
  name,
  description: '',
  size: GiB,
  disk_source: blank,
  ...more,
})
const machine = (name: string, more: object = {}) => ({
  name,
  description: '',
  ncpus: 1,
  memory: GiB,
  hostname: name,
  start: false,
  ...more,
})
const create = (name: string, more: object = {}, who = me) => who.post(at('instances'), machine(name, more))
const names = ({ body }: Answer): string[] => body.items.map((item: { name: string }) => item.name)
const addKey = (name: string, who = me) =>
  who.post('/v1/me/ssh-keys', { name, description: '', public_key: `ssh-ed25519 ${name}` })
const addGroup = (name: string) =>
  me.post(at('anti-affinity-groups'), { name, description: '', policy: 'allow', failure_domain: 'sled' })

async function addFloating(name: string, ip: string): Promise<void> {
  const pool = await bed.db.selectFrom('ip_pool').select('id').executeTakeFirstOrThrow()
  const now = new Date()
  await bed.db
    .insertInto('external_ip')
    .values({
      id: crypto.randomUUID(),
      time_created: now,
      time_modified: now,
      name,
      description: '',
      kind: 'floating',
      project_id: project,
      ...ipv4Stretch(parseIpv4(ip) ?? 0),
      ip_pool_id: pool.id,
      instance_id: null,
    })
    .execute()
}

test('everything requested is present afterwards', async () => {
  await addKey('laptop')
  await addKey('desktop')
  await addGroup('apart')
  await addFloating('front', '198.51.100.77')
  await me.post(at('disks'), newDisk('kept'))
  const silo = await bed.db.selectFrom('image').selectAll().executeTakeFirstOrThrow()
  const made = await create('complete', {
    description: 'all of it',
    ncpus: 3,
    memory: 5 * GiB,
    hostname: 'web.example',
    user_data: btoa('x'.repeat(instanceLimits.userData)),
    network_interfaces: {
      type: 'create',
      params: [
        {
          name: 'first',
          description: '',
          vpc_name: 'default',
          subnet_name: 'default',
          ip: '172.30.0.50',
          transit_ips: ['10.0.0.0/8'],
        },
      ],
    },
    external_ips: [{ type: 'ephemeral' }, { type: 'floating', floating_ip: 'front' }],
    disks: [
      { type: 'attach', name: 'kept' },
      { type: 'create', ...newDisk('extra') },
    ],
    boot_disk: {
      type: 'create',
      ...newDisk('complete-boot', { size: 20 * GiB, disk_source: { type: 'image', image_id: silo.id } }),
    },
    ssh_public_keys: ['laptop'],
    auto_restart_policy: 'never',
    anti_affinity_groups: ['apart'],
  })
  expect([made.status, made.body]).toMatchObject([
    201,
    {
      description: 'all of it',
      ncpus: 3,
      memory: 5 * GiB,
      hostname: 'web.example',
      run_state: 'stopped',
      auto_restart_policy: 'never',
      auto_restart_enabled: false,
    },
  ])
  const disks = (await me.get(at('instances/complete/disks'))).body.items
  expect(disks.map((disk: { name: string }) => disk.name)).toEqual(['complete-boot', 'extra', 'kept'])
  expect(made.body.boot_disk_id).toBe(disks[0].id)
  expect(names(await me.get(at('instances/complete/ssh-public-keys')))).toEqual(['laptop'])
  expect(names(await me.get(at('instances/complete/anti-affinity-groups')))).toEqual(['apart'])
  expect(
    (await me.get(`${at('network-interfaces')}&instance=complete`)).body.items.map(
      (nic: { name: string; ip: string; primary: boolean; transit_ips: string[] }) => [
        nic.name,
        nic.ip,
        nic.primary,
        nic.transit_ips,
      ],
    ),
  ).toEqual([['first', '172.30.0.50', true, ['10.0.0.0/8']]])
  const addresses = (await me.get(at('instances/complete/external-ips'))).body.items
  expect(addresses.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
    'ephemeral',
    'floating',
    'snat',
  ])
})

test('omitting keys adds all that the caller has now, and an empty list adds none', async () => {
  const person = await bed.addUser('keyholder', { roles: [{ at: { project }, role: 'collaborator' }] })
  await addKey('one', person)
  await addKey('two', person)
  const keysOf = async (name: string) => names(await person.get(at(`instances/${name}/ssh-public-keys`)))
  for (const [name, more, keys] of [
    ['keys-absent', {}, ['one', 'two']],
    ['keys-null', { ssh_public_keys: null }, ['one', 'two']],
    ['keys-none', { ssh_public_keys: [] }, []],
    ['keys-twice', { ssh_public_keys: ['two', 'two'] }, ['two']],
  ] as const) {
    expect(said(await create(name, more, person))).toBe('201')
    expect(await keysOf(name)).toEqual(keys)
  }
  // A later key is not added; a deleted one disappears here too.
  await addKey('three', person)
  await person.call('DELETE', '/v1/me/ssh-keys/one')
  expect(await keysOf('keys-absent')).toEqual(['two'])
  // Keys of other users cannot be named.
  await addKey('private')
  const { id } = (await me.get('/v1/me/ssh-keys/private')).body
  expect(said(await create('keys-stolen', { ssh_public_keys: [id] }, person))).toBe(
    `404 not found: ssh-key with id "${id}"`,
  )
  for (let n = 0; n < instanceLimits.sshKeys; n++) await addKey(`many-${n}`, person)
  expect(said(await create('keys-many', {}, person))).toBe(
    '400 cannot attach more than 100 ssh keys to the instance',
  )
})

describe("errors are reported in the reference's order (B 3.4), and nothing is left behind", () => {
  const nic = (name: string, vpc_name = 'default') => ({
    name,
    description: '',
    vpc_name,
    subnet_name: 'default',
  })
  const floating = (howMany: number) =>
    Array.from({ length: howMany }, (_, n) => ({ type: 'floating', floating_ip: `no-address-${n}` }))
  /** Each error precedes all those below it. */
  const faults: [more: object, message: string][] = [
    [{ ncpus: 65 }, '400 cannot have more than 64 vCPUs per instance'],
    [{ memory: GiB / 2 }, '400 unsupported value for "size": memory must be at least 1 GiB'],
    [
      { disks: Array.from({ length: 9 }, (_, n) => ({ type: 'attach', name: `no-disk-${n}` })) },
      '400 cannot attach more than 8 disks to instance',
    ],
    [
      { boot_disk: { type: 'create', ...newDisk('small', { size: GiB / 2 }) } },
      '400 unsupported value for "size": total size must be at least 1 GiB',
    ],
    [{ external_ips: floating(33) }, '400 An instance may not have more than 32 external IP addresses'],
    [
      { external_ips: [{ type: 'ephemeral' }, { type: 'ephemeral' }] },
      '400 An instance may not have more than 1 ephemeral IP address',
    ],
    [
      { network_interfaces: { type: 'create', params: Array.from({ length: 9 }, (_, n) => nic(`n${n}`)) } },
      '400 An instance may not have more than 8 network interfaces',
    ],
    [
      { network_interfaces: { type: 'create', params: [nic('a'), nic('b', 'other')] } },
      '400 All interfaces must be in the same VPC',
    ],
    [{ network_interfaces: { type: 'create', params: [] } }, '400 All interfaces must be in the same VPC'],
    [{ ssh_public_keys: ['no-key'] }, '404 not found: ssh-key with name "no-key"'],
    [{ anti_affinity_groups: ['no-group'] }, '404 not found: anti-affinity-group with name "no-group"'],
    [{ name: 'taken' }, '400 already exists: instance "taken"'],
    [{ anti_affinity_groups: ['full'] }, '400 Anti-affinity group already has maximum allowed members (32)'],
    [
      { network_interfaces: { type: 'create', params: [nic('a', 'no-vpc')] } },
      '404 not found: vpc with name "no-vpc"',
    ],
    [
      { external_ips: [{ type: 'ephemeral', pool: 'no-pool' }] },
      '404 not found: ip-pool with name "no-pool"',
    ],
    [
      { external_ips: [{ type: 'floating', floating_ip: 'no-address' }] },
      '404 not found: floating-ip with name "no-address"',
    ],
    [
      {
        boot_disk: {
          type: 'create',
          ...newDisk('waits', { disk_source: { type: 'importing_blocks', block_size: 512 } }),
        },
      },
      '400 cannot attach disk "waits": invalid state import_ready',
    ],
    [
      {
        disks: [
          { type: 'attach', name: 'no-disk' },
          { type: 'create', ...newDisk('taken-disk') },
        ],
      },
      '400 already exists: disk "taken-disk"',
    ],
    [{ disks: [{ type: 'attach', name: 'no-disk' }] }, '404 not found: disk with name "no-disk"'],
    [
      { disks: [{ type: 'attach', name: 'taken-disk' }] },
      '400 cannot attach disk "taken-disk": disk is attached to another instance',
    ],
  ]
  const countOf = async (table: 'instance') => {
    const count = bed.db.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('count'))
    return (await count.executeTakeFirstOrThrow()).count
  }
  const tables = [
    'instance',
    'disk',
    'external_ip',
    'network_interface',
    'job',
    'anti_affinity_member',
  ] as const
  const traces = () =>
    Promise.all([usersChanges(bed), ...tables.map((table) => countOf(table as 'instance'))])

  beforeAll(async () => {
    await create('taken', { disks: [{ type: 'create', ...newDisk('taken-disk') }] })
    const { id } = (await addGroup('full')).body
    const members = Array.from({ length: affinityLimits.membersPerGroup }, () => ({
      group_id: id,
      instance_id: crypto.randomUUID(),
    }))
    await bed.db.insertInto('anti_affinity_member').values(members).execute()
    await settledJobs(bed)
  })

  test.each(faults.map(([, message], index) => [index, message] as const))(
    '%i: %s',
    async (index, message) => {
      const wrong = Object.assign(
        {},
        ...faults
          .slice(index)
          .reverse()
          .map(([more]) => more),
      )
      const before = await traces()
      const body = machine('never', wrong)
      // An accompanying start changes neither the response nor the state.
      for (const start of [false, true])
        expect(said(await me.post(at('instances'), { ...body, start }))).toBe(message)
      expect(await traces()).toEqual(before)
      expect(said(await viewer.post(at('instances'), body))).toBe('403 Forbidden')
    },
  )

  test('without a default pool there is no egress', async () => {
    const silo = (await me.get('/v1/me')).body.silo_id
    const link = (is_default: boolean) =>
      bed.db.updateTable('ip_pool_silo').set({ is_default }).where('silo_id', '=', silo).execute()
    await link(false)
    const before = await traces()
    const pool = await bed.db.selectFrom('ip_pool').select('name').executeTakeFirstOrThrow()
    expect(said(await create('cut-off', { external_ips: [{ type: 'ephemeral', pool: pool.name }] }))).toBe(
      '404 not found: default IP pool for current silo',
    )
    expect(await traces()).toEqual(before)
    await link(true)
  })
})

test('at most 16 groups, and a disk named twice is attached once', async () => {
  const groups: string[] = []
  for (let n = 0; n < affinityLimits.groupsPerInstance + 1; n++)
    groups.push((await addGroup(`g-${n}`)).body.name)
  expect(said(await create('joiner', { anti_affinity_groups: groups }))).toBe(
    '400 Instance already belongs to maximum allowed anti-affinity groups (16)',
  )
  expect(said(await create('joiner', { anti_affinity_groups: [...groups.slice(1), groups[1]] }))).toBe('201')
  await me.post(at('disks'), newDisk('doubled'))
  const twice = { type: 'attach', name: 'doubled' }
  const made = await create('doubler', { boot_disk: twice, disks: [twice] })
  expect(said(made)).toBe('201')
  expect(names(await me.get(at('instances/doubler/disks')))).toEqual(['doubled'])
})

test('a start without capacity leaves the instance, failed with the reason', async () => {
  // The quota would allow it.
  await bed.db
    .updateTable('silo_quotas')
    .set({ memory: 4096 * GiB })
    .execute()
  const made = await create('too-large', { start: true, memory: instanceLimits.maxMemory })
  expect([made.status, made.body.run_state, made.body.failure.code]).toEqual([
    201,
    'failed',
    'InsufficientCapacity',
  ])
})

test('deleting an instance deletes its interfaces, addresses, memberships and keys, and detaches the rest', async () => {
  expect((await me.call('DELETE', at('instances/complete'))).status).toBe(204)
  for (const name of ['complete-boot', 'extra', 'kept'])
    expect((await me.get(at(`disks/${name}`))).body.state).toEqual({ state: 'detached' })
  expect((await me.get(at('floating-ips/front'))).body.instance_id).toBe(null)
  expect((await me.get(at('anti-affinity-groups/apart/members'))).body.items).toEqual([])
  const left = await bed.db
    .selectFrom('instance')
    .leftJoin('network_interface', (on) =>
      on
        .onRef('network_interface.instance_id', '=', 'instance.id')
        .on('network_interface.time_deleted', 'is', null),
    )
    .leftJoin('external_ip', (on) =>
      on.onRef('external_ip.instance_id', '=', 'instance.id').on('external_ip.time_deleted', 'is', null),
    )
    .leftJoin('instance_ssh_key', 'instance_ssh_key.instance_id', 'instance.id')
    .select(['network_interface.id as nic', 'external_ip.id as ip', 'instance_ssh_key.ssh_key_id as key'])
    .where('instance.name', '=', 'complete')
    .execute()
  expect(left).toEqual([{ nic: null, ip: null, key: null }])
  // The name is free at once.
  expect(said(await create('complete'))).toBe('201')
})

describe('a started creation over a quota', () => {
  const provisioned = async () => (await me.get('/v1/utilization')).body.provisioned
  const leave = async (left: { cpus?: number; storage?: number }) => {
    const used = await provisioned()
    const kinds = Object.entries(left) as ['cpus' | 'storage', number][]
    const { silo_id } = (await me.get('/v1/me')).body
    await bed.db
      .updateTable('silo_quotas')
      .set(Object.fromEntries(kinds.map(([kind, amount]) => [kind, used[kind] + amount])))
      .where('silo_id', '=', silo_id)
      .execute()
    return used
  }
  const withDisks = (name: string) => {
    const disks = ['a', 'b'].map((disk) => ({ type: 'create', ...newDisk(`${name}-${disk}`) }))
    return create(name, { ncpus: 2, start: true, disks })
  }

  test('of vCPUs creates nothing, and charges nothing', async () => {
    const used = await leave({ cpus: 1 })
    expect(said(await withDisks('few-cpus'))).toMatch(/^507 Insufficient capacity: vCPU Limit Exceeded/)
    expect((await me.get(at('instances/few-cpus'))).status).toBe(404)
    expect(await provisioned()).toEqual(used)
    const sleds = () => bed.db.selectFrom('sled_usage').selectAll().orderBy('sled_id').execute()
    const reserved = await sleds()
    // No sled has room for it either, which is then no matter for the operator.
    const huge = await create('huge', { ncpus: 2, memory: 1536 * GiB, start: true })
    expect(said(huge)).toMatch(/^507 Insufficient capacity: vCPU Limit Exceeded/)
    expect(await sleds()).toEqual(reserved)
  })

  test('of vCPUs by many at once creates as many as fit, and leaves nothing failed', async () => {
    const used = await leave({ cpus: 5 })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) => create(`rush-${number}`, { start: true })),
    )
    expect(answers.map(said).filter((text) => text === '201')).toHaveLength(5)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([507]))
    expect((await provisioned()).cpus).toBe(used.cpus + 5)
    const rows = await bed.db
      .selectFrom('instance')
      .select('run_state')
      .where('name', 'like', 'rush-%')
      .execute()
    expect(rows).toHaveLength(5)
    expect(rows.filter(({ run_state }) => run_state === 'failed')).toEqual([])
  })

  test('of storage creates nothing, and charges nothing', async () => {
    const used = await leave({ cpus: 100, storage: 2 * GiB - 1 })
    expect(said(await withDisks('few-bytes'))).toMatch(/^507 Insufficient capacity: Storage Limit Exceeded/)
    expect((await me.get(at('instances/few-bytes'))).status).toBe(404)
    expect(await provisioned()).toEqual(used)
  })

  test('of neither is charged for all of it', async () => {
    const used = await leave({ cpus: 2, storage: 2 * GiB })
    expect((await withDisks('enough')).body.run_state).toBe('starting')
    expect(await provisioned()).toMatchObject({ cpus: used.cpus + 2, storage: used.storage + 2 * GiB })
  })
})

test.each<[what: string, bytes: Uint8Array]>([
  ['a cloud-config', text('#cloud-config\nruncmd:\n  - [sh, -c, "echo hi"]\n')],
  ['with line ends of Windows', text('#cloud-config\r\nhostname: web\r\n')],
  ['a script', text('#!/bin/sh\necho "häuser 😀"\n')],
  [
    'several parts of MIME',
    text(
      'Content-Type: multipart/mixed; boundary="==b=="\nMIME-Version: 1.0\n\n--==b==\nContent-Type: text/cloud-config\n\npackages: [a]\n--==b==--\n',
    ),
  ],
  ['compressed', Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0xc8, 4, 0, 0xac, 0x2a, 0x93, 0xd8)],
  ['of any bytes', Uint8Array.from({ length: 256 }, (_, byte) => byte)],
  ['of the largest size', new Uint8Array(32_768).fill(35)],
])('user data are kept to the byte: %s', async (what, bytes) => {
  const user_data = btoa(String.fromCodePoint(...bytes))
  const name = `data-${what.toLowerCase().replaceAll(' ', '-')}`
  expect((await create(name, { user_data, start: false })).status).toBe(201)
  const kept = await bed.db.selectFrom('instance').select('user_data').where('name', '=', name).execute()
  expect(kept).toEqual([{ user_data }])
})

test('user data of more than 32,768 bytes are refused', async () => {
  const user_data = btoa('#'.repeat(32_769))
  const { status, body } = await create('too-much-data', { user_data })
  expect([status, body.message]).toEqual([400, expect.stringContaining('must be less than 32 KiB')])
})

test('without a network interface no external address is taken', async () => {
  await addFloating('unused', '192.0.2.77')
  const none = { network_interfaces: { type: 'none' } }
  const refused = '400 An instance without a network interface cannot have external IP addresses'
  for (const wanted of [{ type: 'ephemeral' }, { type: 'floating', floating_ip: 'unused' }]) {
    const answer = await create('without', { ...none, external_ips: [wanted] })
    expect(said(answer)).toBe(refused)
    expect(answer.body.help).toContain('Request a network interface too')
  }
  expect(said(await create('without', none))).toBe('201')
  expect(said(await create('with', { external_ips: [{ type: 'ephemeral' }] }))).toBe('201')
})
