import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultSettings } from '../settings.ts'
import { type Caller, testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { type Counted, countedStatements } from '../testing/counted-statements.ts'
import { migratedDatabase } from '../testing/migrated-database.ts'

let counted: Counted
let bed: TestBed
let me: Caller
beforeAll(async () => {
  const { limits } = defaultSettings
  const rows = { ...limits.rows, ssh_key: 2, vpc: 3, disk: 2, affinity_group: 50 }
  counted = countedStatements(await migratedDatabase())
  bed = await testControlPlane({
    dialect: counted.dialect,
    environment: { settings: { ...defaultSettings, limits: { ...limits, rows } } },
  })
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

const named = (name: string) => ({ name, description: '' })
const disk = (name: string) => ({
  ...named(name),
  size: 1024 ** 3,
  disk_source: { type: 'blank', block_size: 512 },
})

test('a parent accepts up to the limit of a kind, and one more after a deletion', async () => {
  const add = (name: string) => me.post('/v1/me/ssh-keys', { ...named(name), public_key: 'k' })
  expect([(await add('one')).status, (await add('two')).status]).toEqual([201, 201])
  const refused = await add('three')
  expect([refused.status, refused.body.error_code, refused.body.message]).toEqual([
    507,
    'InsufficientCapacity',
    'Insufficient capacity: the user already has the maximum of 2 SSH keys',
  ])
  expect(refused.body.help).toBe(
    'Delete some first, or ask the operator to raise the setting limits.rows.ssh_key.',
  )
  // Keys of other users do not count.
  const viewer = await bed.signIn('viewer')
  expect((await viewer.post('/v1/me/ssh-keys', { ...named('one'), public_key: 'k' })).status).toBe(201)
  expect((await me.call('DELETE', '/v1/me/ssh-keys/one')).status).toBe(204)
  expect((await add('three')).status).toBe(201)
})

test('rows created as part of another object count too, and a refusal leaves none behind', async () => {
  const create = (names: string[]) =>
    me.post('/v1/instances?project=playground', {
      ...named('many-disks'),
      ncpus: 1,
      memory: 1024 ** 3,
      hostname: 'x',
      start: false,
      disks: names.map((name) => ({ type: 'create', ...disk(name) })),
    })
  const count = async () => (await me.get('/v1/disks?project=playground')).body.items.length
  const before = await count()
  const refused = await create(['a', 'b', 'c'].slice(0, 3 - before))
  expect([refused.status, refused.body.message]).toEqual([
    507,
    'Insufficient capacity: the project already has the maximum of 2 disks',
  ])
  expect(await count()).toBe(before)
  expect((await me.get('/v1/instances/many-disks?project=playground')).status).toBe(404)
})

test('rows are counted less often while the limit is far, and the limit stays exact', async () => {
  const add = (number: number) =>
    me.post('/v1/affinity-groups?project=playground', {
      ...named(`group-${number}`),
      policy: 'allow',
      failure_domain: 'sled',
    })
  const isCounted = async (number: number) => {
    const statements = await counted.during(async () => expect((await add(number)).status).toBe(201))
    return statements.some((text) => text.includes('FROM "affinity_group" WHERE'))
  }
  const counts = []
  for (let number = 0; number < 50; number++) if (await isCounted(number)) counts.push(number)
  expect(counts.slice(0, 5)).toEqual([0, 4, 7, 10, 13])
  expect(counts.slice(-3)).toEqual([47, 48, 49])
  const refused = await add(50)
  expect([refused.status, refused.body.message]).toEqual([
    507,
    'Insufficient capacity: the project already has the maximum of 50 affinity groups',
  ])
})
