import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { type Counted, countedStatements } from '@gantry/control-plane/testing/counted-statements'
import { migratedDatabase } from '@gantry/control-plane/testing/migrated-database'

const GiB = 1024 ** 3
let counted: Counted
let bed: TestBed
let me: Caller
beforeAll(async () => {
  counted = countedStatements(await migratedDatabase())
  bed = await testControlPlane({ dialect: counted.dialect, idle: true })
  me = await bed.signIn('member')
  // The first of its kind also counts the rows of the project.
  await create('first', { disks: [{ ...disk, name: 'first' }] })
})
afterAll(() => bed.stop())

const create = (name: string, more: object = {}): Promise<string[]> =>
  counted.during(async () => {
    const body = { name, description: '', ncpus: 1, memory: GiB, hostname: name, start: false, ...more }
    const answer = await me.post('/v1/instances?project=playground', body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  })

const disk = {
  type: 'create',
  name: 'a-disk',
  description: '',
  size: GiB,
  disk_source: { type: 'blank', block_size: 512 },
}

const ephemeral = [{ type: 'ephemeral' }]

test.each([
  ['plain', {}, 13],
  ['with-a-disk', { disks: [disk] }, 15],
  ['with-a-disk-and-address', { disks: [{ ...disk, name: 'b' }], external_ips: ephemeral }, 19],
  ['with-a-disk-and-started', { disks: [{ ...disk, name: 'c' }], start: true }, 19],
  [
    'with-two-disks-an-address-and-started',
    {
      disks: [
        { ...disk, name: 'd' },
        { ...disk, name: 'e' },
      ],
      external_ips: ephemeral,
      start: true,
    },
    24,
  ],
])('an instance %s needs few statements', async (name, more, limit) => {
  const statements = await create(name, more)
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(limit)
})

test.each([false, true])(
  'the counter that all creations of a silo change is locked last, started: %s',
  async (start) => {
    const name = `counted-${start}`
    const statements = await create(name, { disks: [{ ...disk, name }], start })
    const at = statements.findIndex((text) => text.includes('UPDATE provisioning'))
    expect(statements.slice(at + 1)).toEqual(['commit'])
  },
)
