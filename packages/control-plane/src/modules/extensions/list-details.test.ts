import { simulatedFleet } from '../../fleet/simulated/fleet.ts'
import type { Volumes } from '../../fleet/fleet.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, eventually, type TestBed, testControlPlane } from '../../testing/control-plane.ts'

const GiB = 1024 ** 3
let bed: TestBed
let admin: Caller
let volumes: Volumes
const ids: Record<string, string> = {}
const made = async (path: string, body: object): Promise<string> => {
  const answer = await admin.post(path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.id
}

beforeAll(async () => {
  bed = await testControlPlane({
    idle: true,
    environment: {
      fleet: (host) => {
        const fleet = simulatedFleet(host)
        volumes = fleet.volumes
        return fleet
      },
    },
  })
  admin = await bed.signIn('admin')
  ids['project'] = await made('/v1/projects', { name: 'shown', description: '' })
  const at = '?project=shown'
  ids['disk'] = await made(`/v1/disks${at}`, {
    name: 'data',
    description: '',
    size: GiB,
    disk_source: { type: 'blank', block_size: 512 },
  })
  ids['floating'] = await made(`/v1/floating-ips${at}`, { name: 'door', description: '' })
  ids['instance'] = await made(`/v1/instances${at}`, {
    name: 'web',
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: 'web',
    start: false,
    disks: [{ type: 'attach', name: 'data' }],
    external_ips: [{ type: 'floating', floating_ip: 'door' }],
  })
  ids['snapshot'] = await made(`/v1/snapshots${at}`, { name: 'monday', description: '', disk: 'data' })
  const { rows } = await sql<{
    id: string
  }>`INSERT INTO image (id, time_created, time_modified, name, description,
      silo_id, project_id, os, version, block_size, size, content_id)
    SELECT gen_random_uuid(), now(), now(), 'base', '', p.silo_id, NULL, 'os', '1', 512, ${GiB}, 'x'
    FROM project p WHERE p.name = 'shown' RETURNING id`.execute(bed.db)
  ids['image'] = rows[0]?.id ?? ''
  await sql`UPDATE disk SET image_id = ${ids['image']} WHERE id = ${ids['disk']}`.execute(bed.db)
})
afterAll(() => bed.stop())

const detail = async (kind: string, id: string | undefined, who = admin) => {
  const { status, body } = await who.get(`/ext/v1/list-details?kind=${kind}&id=${id}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items[0]
}

test('rows of each kind show the objects that they are related to', async () => {
  const project = { id: ids['project'], name: 'shown' }
  const web = { id: ids['instance'], name: 'web' }
  expect(await detail('disk', ids['disk'])).toMatchObject({
    project,
    instance: web,
    image: { id: ids['image'], name: 'base' },
    snapshots: 1,
    is_protected: false,
  })
  expect(await detail('snapshot', ids['snapshot'])).toMatchObject({
    project,
    disk: { id: ids['disk'], name: 'data' },
  })
  expect(await detail('floating-ip', ids['floating'])).toMatchObject({ project, instance: web })
  expect(await detail('image', ids['image'])).toMatchObject({ project: null, used_by: 1 })
  const shown = await detail('instance', ids['instance'])
  expect(shown).toMatchObject({ project, vpcs: [{ name: 'default' }], sled: null, image: null })
  expect(shown.external_ips).toEqual([expect.stringMatching(/^\d+(\.\d+){3}$/)])
  expect(shown.internal_ips).toEqual([expect.stringMatching(/^172\.30\.0\.\d+$/)])
})

test('a disk shows what of it takes storage, and nothing where the driver cannot tell', async () => {
  const { content_id } = await bed.db
    .selectFrom('disk')
    .select('content_id')
    .where('id', '=', ids['disk'] ?? '')
    .executeTakeFirstOrThrow()
  await eventually(
    () => volumes.size(content_id),
    (size) => size === GiB,
  )
  expect(await detail('disk', ids['disk'])).toMatchObject({ size_used: 0 })
  await volumes.write(content_id, 0, new Uint8Array(3 * 64 * 1024).fill(1))
  const read = await detail('disk', ids['disk'])
  expect(read).toMatchObject({ size_used: 3 * 64 * 1024 })
  expect(read).not.toHaveProperty('~volume')
  expect(await detail('instance', ids['instance'])).toMatchObject({ size_used: null })

  const { occupied } = volumes
  volumes.occupied = async () => {
    throw new Error('the medium does not answer')
  }
  expect(await detail('disk', ids['disk'])).toMatchObject({ size_used: null, snapshots: 1 })
  volumes.occupied = occupied
})

test('nobody is shown what they may not see: neither rows nor what these are related to', async () => {
  const viewer = await bed.addUser('in-project', {
    roles: [{ at: { project: ids['project'] ?? '' }, role: 'viewer' }],
  })
  expect(await detail('disk', ids['disk'], viewer)).toMatchObject({ snapshots: 1, image: null })
  expect(await detail('image', ids['image'], viewer)).toBeUndefined()
  const stranger = await bed.addUser('stranger')
  for (const kind of ['disk', 'instance', 'snapshot', 'floating-ip'])
    expect(await detail(kind, ids[kind === 'floating-ip' ? 'floating' : kind], stranger)).toBeUndefined()
})

test('an instance shows when it was rebooted or restarted last, whoever did it', async () => {
  const running = await made('/v1/instances?project=shown', {
    name: 'ship',
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: 'ship',
    start: false,
  })
  const restarted = async () => (await detail('instance', running)).time_last_restarted as string | null
  await sql`WITH machine AS (INSERT INTO vmm (id, instance_id, sled_id, ncpus, memory, time_created)
      SELECT gen_random_uuid(), ${running}, s.id, 1, ${GiB}, now() FROM sled s ORDER BY s.serial LIMIT 1 RETURNING id)
    UPDATE instance SET run_state = 'running', intended_state = 'running', vmm_id = machine.id FROM machine
    WHERE instance.id = ${running}`.execute(bed.db)
  expect(await restarted()).toBeNull()
  expect((await admin.post('/v1/instances/ship/reboot?project=shown')).status).toBe(202)
  const rebooted = await restarted()
  expect(rebooted).toEqual(expect.any(String))
  // Other changes are none.
  const tags = { tags: [{ key: 'env', value: 'prod' }] }
  expect((await admin.call('PUT', `/ext/v1/tags/${running}?kind=instance`, tags)).status).toBe(200)
  expect(await restarted()).toBe(rebooted)
  const later = new Date(Date.parse(rebooted ?? '') + 60_000)
  await sql`UPDATE instance SET time_last_auto_restarted = ${later} WHERE id = ${running}`.execute(bed.db)
  expect(await restarted()).toBe(later.toISOString())
})

test('only operators are shown sleds', async () => {
  await sql`INSERT INTO vmm (id, instance_id, sled_id, ncpus, memory, time_created)
    SELECT gen_random_uuid(), ${ids['instance']}, s.id, 1, ${GiB}, now() FROM sled s ORDER BY s.serial LIMIT 1`.execute(
    bed.db,
  )
  expect((await detail('instance', ids['instance'])).sled).toMatchObject({ name: expect.any(String) })
  const member = await bed.addUser('silo-member', { roles: [{ at: 'silo', role: 'collaborator' }] })
  expect((await detail('instance', ids['instance'], member)).sled).toBeNull()
})
