import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

describe('between the pages of a list', () => {
  const page = async (query: string) => (await me.get(`/v1/me/ssh-keys?${query}`)).body
  const namesIn = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name)
  const remove = (name: string) => me.call('DELETE', `/v1/me/ssh-keys/${name}`)

  test('what is deleted is missing, and nothing else is', async () => {
    const first = await page('limit=50')
    // The row that the token names, and the first of the next page.
    await remove('key-0049')
    await remove('key-0050')
    const second = await page(`limit=50&page_token=${first.next_page}`)
    expect(namesIn(second)).toEqual(names.slice(51, 101))
  })

  test('a token goes on with another limit', async () => {
    const { next_page } = await page('limit=10')
    expect(namesIn(await page(`limit=3&page_token=${next_page}`))).toEqual(names.slice(10, 13))
  })

  test('a token of another list is refused', async () => {
    const { next_page } = (await me.get('/v1/projects?limit=1')).body
    for (const token of [next_page, 'e30', 'x'])
      expect((await me.get(`/v1/me/ssh-keys?page_token=${token}`)).status).toBe(400)
  })

  test('the last page is empty after exactly one full one, and after its rows are deleted', async () => {
    const other = await bed.signIn('viewer')
    const add = (name: string) =>
      other.post('/v1/me/ssh-keys', { name, description: '', public_key: 'ssh-ed25519 AAAA' })
    const read = async (token: string) => (await other.get(`/v1/me/ssh-keys?limit=50${token}`)).body
    for (let at = 0; at < 50; at++) await add(`key-${String(at).padStart(2, '0')}`)
    const full = await read('')
    expect(full.items).toHaveLength(50)
    const after = `&page_token=${full.next_page}`
    expect(await read(after)).toEqual({ items: [], next_page: null })
    await add('key-50')
    expect(namesIn(await read(after))).toEqual(['key-50'])
    await other.call('DELETE', '/v1/me/ssh-keys/key-50')
    expect(await read(after)).toEqual({ items: [], next_page: null })
  })
})
