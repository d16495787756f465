import { maxNamedIds } from '@gantry/api/extensions.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'

let bed: TestBed
let operator: Caller
let member: Caller
let project: string
let instance: string
let disk: string
let silo: string
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  member = await bed.signIn('member')
  silo = (await member.get('/v1/me')).body.silo_id
  project = await made(member, '/v1/projects', { name: 'harbour', description: '' })
  instance = await made(member, '/v1/instances?project=harbour', {
    name: 'buoy',
    description: '',
    ncpus: 1,
    memory: 2 ** 30,
    hostname: 'buoy',
    start: false,
    network_interfaces: { type: 'default' },
  })
  disk = await made(member, '/v1/disks?project=harbour', {
    name: 'chain',
    description: '',
    size: 2 ** 30,
    disk_source: { type: 'blank', block_size: 4096 },
  })
})
afterAll(() => bed.stop())

interface Named {
  id: string
  kind: string
  name: string
}
const names = (who: Caller, ids: readonly string[]) => who.get(`/ext/v1/names?id=${ids.join(',')}`)
const namesOf = async (who: Caller, ids: readonly string[]): Promise<string[]> =>
  (await names(who, ids)).body.items.map(({ kind, name }: Named) => `${kind} ${name}`).toSorted()

test('ids of every measured kind are resolved at once, in any form', async () => {
  const [nic] = (await member.get('/v1/network-interfaces?instance=buoy&project=harbour')).body.items
  const [vpc] = (await member.get('/v1/vpcs?project=harbour')).body.items
  const asked = [instance.toUpperCase(), `urn:uuid:${disk}`, project, silo, nic.id, vpc.id, instance]
  expect(await namesOf(member, asked)).toEqual([
    'disk chain',
    'instance buoy',
    'instance-network-interface net0',
    'project harbour',
    'silo demo',
    'vpc default',
  ])
  expect((await names(member, [instance])).body).toEqual({
    items: [{ id: instance, kind: 'instance', name: 'buoy' }],
  })
})

test('only operators learn the serial number of a sled', async () => {
  const { id, serial } = await bed.db
    .selectFrom('sled')
    .select(['id', 'serial'])
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(await namesOf(operator, [id])).toEqual([`sled ${serial}`])
  expect(await namesOf(member, [id])).toEqual([])
})

test('an id that is hidden, unknown or deleted is absent, and the others are resolved', async () => {
  const far = await bed.addUser('far', {
    siloId: await bed.addSilo('elsewhere'),
    roles: [{ at: 'silo', role: 'admin' }],
  })
  const farOperator = await bed.addUser('far-operator', {
    siloId: await bed.addSilo('operators'),
    roles: [{ at: 'fleet', role: 'admin' }],
  })
  const newcomer = await bed.addUser('newcomer')
  const guest = await bed.addUser('guest', { roles: [{ at: { project }, role: 'viewer' }] })
  const other = await made(member, '/v1/projects', { name: 'lagoon', description: '' })
  const asked = [instance, disk, project, other, silo, crypto.randomUUID()]
  expect(await namesOf(far, asked)).toEqual([])
  expect(await namesOf(farOperator, asked)).toEqual(['silo demo'])
  expect(await namesOf(newcomer, asked)).toEqual(['silo demo'])
  expect(await namesOf(guest, asked)).toEqual(['disk chain', 'instance buoy', 'project harbour', 'silo demo'])
  expect((await member.call('DELETE', '/v1/disks/chain?project=harbour')).status).toBe(204)
  expect(await namesOf(guest, [disk, instance])).toEqual(['instance buoy'])
})

test('a request names some ids, and not too many', async () => {
  const many = (count: number) => Array.from({ length: count }, () => crypto.randomUUID())
  expect(await namesOf(member, [...many(maxNamedIds - 1), instance])).toEqual(['instance buoy'])
  expect((await names(member, many(maxNamedIds + 1))).status).toBe(400)
  expect((await names(member, ['buoy'])).status).toBe(400)
  expect((await member.get('/ext/v1/names')).status).toBe(400)
  const nobody = await bed.plane.fetch(new Request(`http://localhost/ext/v1/names?id=${instance}`), {
    address: '127.0.0.1',
  })
  expect(nobody.status).toBe(401)
})
