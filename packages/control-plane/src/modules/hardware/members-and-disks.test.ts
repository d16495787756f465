import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, eventually, said, type TestBed, testControlPlane } from '../../testing/control-plane.ts'

let bed: TestBed
let operator: Caller
let rack: string
let membership: string
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  rack = (await operator.get(`${hardware}/racks`)).body.items[0].id
  membership = `${hardware}/racks/${rack}/membership`
  const added = { part: 'gantry-sled', revision: 1, rack_id: rack, usable_hardware_threads: 64 }
  await bed.db
    .insertInto('uninitialized_sled')
    .values(
      [20, 21].map((number) => ({
        ...added,
        serial: `GS-0${number}`,
        cubby: number,
        usable_physical_ram: 2 ** 40,
      })),
    )
    .execute()
})
afterAll(() => bed.stop())

const hardware = '/v1/system/hardware'
const board = (serial_number: string) => ({ part_number: 'gantry-sled', serial_number })
const add = (...serials: string[]) => operator.post(`${membership}/add`, { sled_ids: serials.map(board) })
const status = async () => (await operator.get(membership)).body
/** Advances the clock, by which sleds confirm, until the change is in the state. */
const becomes = (state: string) =>
  eventually(
    () => {
      bed.pass(1000)
      return status()
    },
    (now) => now.state === state,
    20_000,
  )
const serials = async (): Promise<string[]> =>
  (await operator.get(`${hardware}/sleds`)).body.items.map(
    ({ baseboard }: { baseboard: { serial: string } }) => baseboard.serial,
  )

describe('the members of a rack', () => {
  test('are its sleds at first', async () => {
    const first = await status()
    expect(first).toMatchObject({ rack_id: rack, version: 1, state: 'committed', unacknowledged_members: [] })
    expect(first.members).toHaveLength(8)
    expect(first.members[0]).toEqual(board('GS-001'))
    expect((await operator.get(`${membership}?version=1`)).body).toEqual(first)
    expect(said(await operator.get(`${membership}?version=9`))).toBe(
      '404 not found: version 9 of the members of the rack',
    )
  })

  test.each([
    ['a member', ['GS-001'], /^400 GS-001 is a member of the rack already/],
    ['an unknown one', ['GS-777'], /^400 GS-777 \(gantry-sled\) is no uninitialized sled of this rack/],
    ['too many', Array.from({ length: 30 }, (_, at) => `X-${at}`), /^400 the rack would have 38 members/],
  ])('%s cannot be added', async (_, names, message) => {
    expect(said(await add(...names))).toMatch(message)
  })

  test('gain a sled once it and most others have confirmed it', async () => {
    const begun = await add('GS-020', 'GS-020')
    expect(begun.body).toMatchObject({ version: 2, state: 'in_progress', time_committed: null })
    expect(begun.body.members).toHaveLength(9)
    expect(begun.body.unacknowledged_members).toHaveLength(9)
    expect(said(await add('GS-021'))).toMatch(/^409 the members of the rack are changing/)
    expect(await serials()).not.toContain('GS-020')
    const done = await becomes('committed')
    expect(done).toMatchObject({ version: 2, unacknowledged_members: [], time_aborted: null })
    expect(await serials()).toContain('GS-020')
    const left = (await operator.get(`${hardware}/sleds-uninitialized`)).body.items
    expect(left).toMatchObject([{ baseboard: { serial: 'GS-021' } }])
    expect(said(await operator.post(`${membership}/abort`))).toMatch(
      /^409 the members of the rack are not changing/,
    )
  })

  test('stay if the change is aborted, because most of them do not answer', async () => {
    const lost = await bed.db
      .selectFrom('sled')
      .select('id')
      .where('time_deleted', 'is', null)
      .orderBy('cubby')
      .limit(6)
      .execute()
    for (const { id } of lost) await operator.post('/ext/v1/faults', { kind: 'sled_lost', sled_id: id })
    expect((await add('GS-021')).status).toBe(200)
    const stuck = await eventually(
      () => {
        bed.pass(1000)
        return status()
      },
      ({ unacknowledged_members }) => unacknowledged_members.length === 6,
      20_000,
    )
    expect(stuck.state).toBe('in_progress')
    const aborted = await operator.post(`${membership}/abort`)
    expect([aborted.status, aborted.body.state, aborted.body.version]).toEqual([200, 'aborted', 3])
    expect(await serials()).not.toContain('GS-021')
    const { items } = (await operator.get('/ext/v1/faults')).body
    for (const { id } of items) await operator.call('DELETE', `/ext/v1/faults/${id}`)
    expect((await add('GS-021')).body).toMatchObject({ version: 4 })
    expect((await becomes('committed')).members).toHaveLength(10)
  })
})

describe('unadopted disks', () => {
  const disk = (serial: string) => ({ vendor: 'Norrland', serial, model: 'NU-3200' })
  const adopt = (serial: string) => operator.call('PUT', `${hardware}/disk-adoption-request`, disk(serial))
  const unadopted = async () => (await operator.get(`${hardware}/disks-unadopted`)).body.items
  const requests = async () => (await operator.get(`${hardware}/disk-adoption-requests`)).body.items
  const put = async (serial: string, form_factor: 'u2' | 'm2' = 'u2') => {
    const { id: sled_id } = await bed.db
      .selectFrom('sled')
      .select('id')
      .where('serial', '=', 'GS-001')
      .executeTakeFirstOrThrow()
    await bed.db
      .insertInto('unadopted_disk')
      .values({ ...disk(serial), sled_id, slot: 11, form_factor })
      .execute()
    return sled_id
  }

  test('are found, except those that sleds boot from', async () => {
    const sled_id = await put('A')
    await put('B', 'm2')
    expect(await unadopted()).toEqual([{ disk_id: disk('A'), sled_id, slot: 11, variant: 'u2' }])
    expect((await operator.get(`${hardware}/disks-unadopted?page_token=any`)).body.error_code).toBe(
      'InvalidValue',
    )
  })

  test('come into service once that was requested', async () => {
    const asked = await adopt('A')
    expect([asked.status, asked.body.disk_id]).toEqual([201, disk('A')])
    expect((await adopt('A')).body).toEqual(asked.body)
    expect(await requests()).toEqual([asked.body])
    expect(await unadopted()).toEqual([])
    await eventually(
      async () => {
        bed.pass(3000)
        await adopt('C')
        return requests()
      },
      (left) => left.length === 1,
      20_000,
    )
    const { items } = (await operator.get(`${hardware}/disks?limit=1000`)).body
    expect(items).toContainEqual(
      expect.objectContaining({ ...disk('A'), state: 'active', form_factor: 'u2' }),
    )
    expect(said(await adopt('A'))).toMatch(/^409 the disk is in use already/)
    const consumed = await operator.call('DELETE', `${hardware}/disk-adoption-request/${asked.body.id}`)
    expect(consumed.status).toBe(404)
  })

  test('that are nowhere are waited for, until the request is withdrawn', async () => {
    const [{ id }] = await requests()
    expect((await operator.call('DELETE', `${hardware}/disk-adoption-request/${id}`)).status).toBe(204)
    expect(await requests()).toEqual([])
  })
})
