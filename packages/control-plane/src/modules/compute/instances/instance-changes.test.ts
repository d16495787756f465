import { instanceEvents } from '@gantry/api/compute/instance-change.rules'
import { ops } from '@gantry/api/registry'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { locationOfChange } from '@gantry/control-plane/lookup/location'
import {
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { made } from '@gantry/control-plane/testing/hidden-things'

interface Change {
  id: string
  time: string
  event: string
  object: { id: string; name: string } | null
  resize: { before: object; after: object } | null
}

const GiB = 2 ** 30
const since = 'start_time=2020-01-01T00:00:00Z'
const inAtlas = 'project=atlas'
const at = (name: string) => `/ext/v1/instances/${name}/changes?${inAtlas}`

let bed: TestBed
let member: Caller
let viewer: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
  await made(member, '/v1/projects', { name: 'atlas', description: '' })
})
afterAll(() => bed.stop())

const machine = (name: string) =>
  made(member, `/v1/instances?${inAtlas}`, {
    name,
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: name,
    start: false,
    network_interfaces: { type: 'none' },
  })

const act = (name: string, action: string) =>
  member.post(`/v1/instances/${name}/${action}?${inAtlas}`, undefined)
const reaches = (name: string, state: string) =>
  eventually(
    async () => {
      bed.pass(500)
      return (await member.get(`/v1/instances/${name}?${inAtlas}`)).body
    },
    (instance) => instance.run_state === state,
  )
const changes = async (name: string, query = '', by = viewer): Promise<Change[]> =>
  (await by.get(`${at(name)}&${since}&${query}`)).body.items
const events = async (name: string, query = 'sort_by=time_and_id_ascending'): Promise<string[]> =>
  (await changes(name, query)).map(({ event, object }) => (object ? `${event} ${object.name}` : event))

describe('the changes of an instance', () => {
  test('are its states, its size, and what was attached and detached', async () => {
    await machine('web')
    await made(member, `/v1/disks?${inAtlas}`, {
      name: 'data',
      description: '',
      size: GiB,
      disk_source: { type: 'blank', block_size: 512 },
    })
    await member.post(`/v1/instances/web/disks/attach?${inAtlas}`, { disk: 'data' })
    await member.call('PUT', `/v1/instances/web?${inAtlas}`, { ncpus: 2, memory: 2 * GiB })
    // Neither its size nor its state.
    await member.call('PUT', `/v1/instances/web?${inAtlas}`, {
      ncpus: 2,
      memory: 2 * GiB,
      auto_restart_policy: 'never',
    })
    await act('web', 'start')
    await reaches('web', 'running')
    await act('web', 'reboot')
    await reaches('web', 'running')
    await act('web', 'stop')
    await reaches('web', 'stopped')
    await member.post(`/v1/instances/web/disks/detach?${inAtlas}`, { disk: 'data' })
    const nic = { name: 'eth0', description: '', vpc_name: 'default', subnet_name: 'default' }
    await made(member, `/v1/network-interfaces?${inAtlas}&instance=web`, nic)
    const floating = { name: 'front', description: '' }
    await made(member, `/v1/floating-ips?${inAtlas}`, floating)
    await member.post(`/v1/floating-ips/front/attach?${inAtlas}`, { kind: 'instance', parent: 'web' })
    await member.post(`/v1/floating-ips/front/detach?${inAtlas}`, undefined)
    await member.call('DELETE', `/v1/network-interfaces/eth0?${inAtlas}&instance=web`)

    expect(await events('web')).toEqual([
      'created',
      'disk_attached data',
      'resized',
      'started',
      'rebooted',
      'stopped',
      'disk_detached data',
      'nic_added eth0',
      'address_attached front',
      'address_detached front',
      'nic_removed eth0',
    ])
    const resized = (await changes('web')).find(({ event }) => event === 'resized')
    expect(resized).toMatchObject({
      object: null,
      resize: { before: { ncpus: 1, memory: GiB }, after: { ncpus: 2, memory: 2 * GiB } },
    })
    // Nothing else of the records is disclosed, above all not who made the change.
    expect(Object.keys(resized ?? {})).toEqual(['id', 'time', 'event', 'object', 'resize'])
  })

  test('name a failure, the automatic restart after it, and an address without a name', async () => {
    await machine('cache')
    await made(member, `/v1/network-interfaces?${inAtlas}&instance=cache`, {
      name: 'eth0',
      description: '',
      vpc_name: 'default',
      subnet_name: 'default',
    })
    const { ip } = (await member.post(`/v1/instances/cache/external-ips/ephemeral?${inAtlas}`, {})).body
    await act('cache', 'start')
    const { id } = await reaches('cache', 'running')
    const operator = await bed.signIn('admin')
    await made(operator, '/ext/v1/faults', { kind: 'vm_crash', instance_id: id })
    await eventually(
      () => events('cache'),
      (all) => all.includes('restarted'),
    )
    expect((await events('cache')).slice(0, 6)).toEqual([
      'created',
      'nic_added eth0',
      `address_attached ${ip}`,
      'started',
      'failed',
      'restarted',
    ])
  })

  test('come in pages without a gap, newest first, within a window of time', async () => {
    const all = await changes('web')
    expect(all.map(({ time }) => time)).toEqual(
      all
        .map(({ time }) => time)
        .toSorted()
        .toReversed(),
    )
    const paged: Change[] = []
    for (let token = ''; ;) {
      const path = token ? `/ext/v1/instances/web/changes?page_token=${token}` : `${at('web')}&${since}`
      const { items, next_page } = (await viewer.get(`${path}&limit=3`)).body
      if (items.length === 0) break
      paged.push(...items)
      token = next_page
    }
    expect(paged).toEqual(all)
    const [newest, next] = all
    const from = encodeURIComponent(newest?.time ?? '')
    expect((await viewer.get(`${at('web')}&start_time=${from}`)).body.items).toEqual(
      all.filter(({ time }) => time === newest?.time),
    )
    expect(await changes('web', `end_time=${from}`)).not.toContainEqual(newest)
    expect(await changes('web', `end_time=${from}`)).toContainEqual(next)
  })

  test('are refused without a start, for strangers, and with a foreign page token', async () => {
    expect((await viewer.get(at('web'))).body.message).toMatch(/start_time/)
    expect((await viewer.get(`${at('web')}&start_time=yesterday`)).status).toBe(400)
    expect((await viewer.get(`${at('none')}&${since}`)).status).toBe(404)
    const stranger = await bed.addUser('stranger', { roles: [] })
    expect((await stranger.get(`${at('web')}&${since}`)).status).toBe(404)
    const { next_page } = (await viewer.get(`${at('web')}&${since}&limit=1`)).body
    // A token is read with the rights of its sender, and only by the operation that made it.
    expect((await stranger.get(`/ext/v1/instances/web/changes?page_token=${next_page}`)).status).toBe(404)
    expect((await viewer.get(`/v1/disks?page_token=${next_page}`)).status).toBe(400)
  })

  test('of a deleted instance are gone with it', async () => {
    await machine('brief')
    expect(await events('brief')).toEqual(['created'])
    await member.call('DELETE', `/v1/instances/brief?${inAtlas}`)
    expect((await viewer.get(`${at('brief')}&${since}`)).status).toBe(404)
  })
})

test('each kind is visible to all who may see the instance, by its class', () => {
  const [silo_id, project_id] = [crypto.randomUUID(), crypto.randomUUID()]
  for (const kind of ops.instanceChangeList.reads)
    expect(
      locationOfChange({
        kind,
        id: crypto.randomUUID(),
        silo_id,
        project_id,
        actor: { kind: 'system' },
      }),
    ).toEqual({ class: 'projectChild', silo_id, project_id })
})

test('they are found by their index', async () => {
  const { rows } = await bed.db.transaction().execute(async (tx) => {
    await sql`SET LOCAL enable_seqscan = off`.execute(tx)
    return sql<{ 'QUERY PLAN': string }>`EXPLAIN SELECT * FROM change
      WHERE (kind = 'instance' OR before->>'instance_id' IS DISTINCT FROM after->>'instance_id')
      AND (CASE WHEN kind = 'instance' THEN object_id::text
        ELSE coalesce(after->>'instance_id', before->>'instance_id') END) = 'x'`.execute(tx)
  })
  expect(JSON.stringify(rows)).toContain('change_of_instance')
})

test('the words of events are those of the contract', async () => {
  const recorded = new Set(
    (await Promise.all(['web', 'cache'].map((name) => changes(name)))).flat().map(({ event }) => event),
  )
  expect(instanceEvents.filter((event) => !recorded.has(event))).toEqual(['migrated'])
})
