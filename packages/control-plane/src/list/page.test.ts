import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../testing/control-plane.ts'

let bed: TestBed
let me: Caller
const names = Array.from({ length: 2300 }, (_, index) => `key-${String(index).padStart(4, '0')}`)
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  const { id: silo_user_id } = (await me.get('/v1/me')).body
  const now = new Date()
  const rows = names.map((name) => ({
    id: crypto.randomUUID(),
    time_created: now,
    time_modified: now,
    name,
    description: '',
    silo_user_id,
    public_key: 'k',
  }))
  for (let at = 0; at < rows.length; at += 500)
    await bed.db
      .insertInto('ssh_key')
      .values(rows.slice(at, at + 500))
      .execute()
})
afterAll(() => bed.stop())

/** Every name in the list, read in pages of `limit`, together with the page lengths. */
async function walk(limit: number, sort: string): Promise<{ names: string[]; lengths: number[] }> {
  const found: string[] = []
  const lengths: number[] = []
  for (let token = ''; ;) {
    const { body } = await me.get(`/v1/me/ssh-keys?limit=${limit}&sort_by=${sort}${token}`)
    lengths.push(body.items.length)
    if (!body.next_page) return { names: found, lengths }
    found.push(...body.items.map(({ name }: { name: string }) => name))
    token = `&page_token=${encodeURIComponent(body.next_page)}`
  }
}

test.each([
  [10_000, 'name_ascending', names, [2300, 0]],
  [1500, 'name_ascending', names, [1500, 800, 0]],
  [1500, 'name_descending', names.toReversed(), [1500, 800, 0]],
])('pages of %i by %s, fetched in slices, return every row once', async (limit, sort, expected, lengths) => {
  expect(await walk(limit, sort)).toEqual({ names: expected, lengths })
})

test('pages by id, fetched in slices, return every row once', async () => {
  const { names: found, lengths } = await walk(1200, 'id_ascending')
  expect(found.toSorted()).toEqual(names)
  expect(lengths).toEqual([1200, 1100, 0])
})
