import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MachineSpec } from '@gantry/control-plane/fleet/fleet'
import { simulatedFleet } from '@gantry/control-plane/fleet/simulated/fleet'
import { diskSlots } from '@gantry/control-plane/db/migrations/0032-disk-slots'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'

const GiB = 1024 ** 3
let bed: TestBed
let me: Caller
/** The latest specification of each machine's instance, by its name. */
const given = new Map<string, MachineSpec>()
beforeAll(async () => {
  bed = await testControlPlane({
    environment: {
      fleet: (host) => {
        const simulated = simulatedFleet(host)
        const { ensure } = simulated.machines
        const seen = (spec: MachineSpec) => {
          given.set(spec.name, spec)
          return ensure(spec)
        }
        return { ...simulated, machines: { ...simulated.machines, ensure: seen } }
      },
    },
  })
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

const at = (path: string): string => `/v1/${path}?project=playground`
const newDisk = (name: string) => ({
  name,
  description: '',
  size: GiB,
  disk_source: { type: 'blank', block_size: 512 },
})
const created = (name: string, more = {}) =>
  me.post(at('instances'), {
    name,
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: name,
    start: false,
    ...more,
  })
const create = (name: string) => ({ type: 'create', ...newDisk(name) })
const attach = (instance: string, disk: string) => me.post(at(`instances/${instance}/disks/attach`), { disk })
const detach = (instance: string, disk: string) => me.post(at(`instances/${instance}/disks/detach`), { disk })
/** Starts the instance, and returns the places of its disks; leaves it stopped. */
async function placesOf(name: string): Promise<string[]> {
  given.delete(name)
  expect((await me.post(at(`instances/${name}/start`))).status).toBe(202)
  await expect.poll(() => given.has(name)).toBe(true)
  await me.post(at(`instances/${name}/stop`))
  await expect
    .poll(async () => {
      bed.pass(2000)
      return (await me.get(at(`instances/${name}`))).body.run_state
    })
    .toBe('stopped')
  return (given.get(name)?.disks ?? []).map(
    (disk) => `${disk.slot} ${disk.name}${disk.is_boot ? ' (boot)' : ''}`,
  )
}

test('a disk attached later changes the place of no other, whatever its name', async () => {
  await created('web', { boot_disk: create('web-boot'), disks: [create('web-logs')] })
  await me.post(at('disks'), newDisk('archive'))
  expect(await placesOf('web')).toEqual(['0 web-boot (boot)', '2 web-logs'])
  await attach('web', 'archive')
  expect(await placesOf('web')).toEqual(['0 web-boot (boot)', '2 web-logs', '3 archive'])
  await detach('web', 'web-logs')
  expect(await placesOf('web')).toEqual(['0 web-boot (boot)', '3 archive'])
  await attach('web', 'web-logs')
  expect(await placesOf('web')).toEqual(['0 web-boot (boot)', '3 archive', '4 web-logs'])
})

test('another boot disk comes first, and the one before goes back to its own place', async () => {
  await created('db', { boot_disk: create('db-boot'), disks: [create('db-data'), create('db-copy')] })
  const update = { ncpus: 1, memory: GiB, boot_disk: 'db-copy', auto_restart_policy: null }
  expect((await me.call('PUT', at('instances/db'), update)).status).toBe(200)
  expect(await placesOf('db')).toEqual(['0 db-copy (boot)', '1 db-boot', '2 db-data'])
})

test('an instance without a boot disk boots from the disk that was attached first', async () => {
  await created('old', { disks: [create('zebra')] })
  await me.post(at('disks'), newDisk('aardvark'))
  await attach('old', 'aardvark')
  expect(await placesOf('old')).toEqual(['0 zebra (boot)', '2 aardvark'])
})

test('disks that are attached at once get a place each', async () => {
  await created('many')
  const names = Array.from({ length: 9 }, (_, index) => `many-${index}`)
  await Promise.all(names.map((name) => me.post(at('disks'), newDisk(name))))
  const answers = await Promise.all(names.map((name) => attach('many', name)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array(8).fill(202), 400])
  const slots = await bed.db
    .selectFrom('disk')
    .innerJoin('instance', 'instance.id', 'disk.instance_id')
    .select('disk.slot')
    .where('instance.name', '=', 'many')
    .orderBy('disk.slot')
    .execute()
  expect(slots.map(({ slot }) => slot)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  const detached = await bed.db.selectFrom('disk').select('slot').where('instance_id', 'is', null).execute()
  expect(detached.map(({ slot }) => slot)).toEqual([null])
})

test('an interface keeps its place when one before it is deleted', async () => {
  await me.post('/v1/vpc-subnets?project=playground&vpc=default', {
    name: 'second',
    description: '',
    ipv4_block: '172.30.8.0/24',
  })
  const nic = (name: string, subnet_name: string) => ({
    name,
    description: '',
    vpc_name: 'default',
    subnet_name,
  })
  await created('router', {
    network_interfaces: { type: 'create', params: [nic('first', 'default'), nic('second', 'second')] },
  })
  const [, second] = (await me.get(`${at('network-interfaces')}&instance=router`)).body.items
  await me.call('PUT', `/v1/network-interfaces/${second.id}`, { primary: true })
  expect((await me.call('DELETE', `${at('network-interfaces/first')}&instance=router`)).status).toBe(204)
  await placesOf('router')
  expect(given.get('router')?.interfaces).toMatchObject([{ name: 'second', slot: 1 }])
})

test('a migration keeps the places that disks and interfaces had', async () => {
  const undo = [
    `DROP INDEX disk_slot_key`,
    `ALTER TABLE disk DROP COLUMN slot`,
    `UPDATE network_interface SET slot = slot + 3 WHERE time_deleted IS NULL`,
  ]
  await created('grown', { boot_disk: create('system'), disks: [create('attic')] })
  for (const statement of [...undo, ...diskSlots.statements]) await sql.raw(statement).execute(bed.db)
  expect(await placesOf('grown')).toEqual(['0 attic', '1 system (boot)'])
  expect(await placesOf('router')).toEqual([])
  expect(given.get('router')?.interfaces).toMatchObject([{ name: 'second', slot: 0 }])
})
