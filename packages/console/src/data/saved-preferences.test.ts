import { beforeEach, expect, test, vi } from 'vitest'
import { call } from './client.ts'
import { Failure } from './failure.ts'
import {
  keepCopy,
  listId,
  listIdAt,
  listPreference,
  ownCopy,
  preferences,
  untouched,
} from './list-preferences.ts'
import { changeListPreference, takeSaved } from './saved-preferences.ts'

vi.mock('./client.ts', () => ({ call: vi.fn() }))
const sent = vi.mocked(call)

beforeEach(() => {
  vi.useFakeTimers()
  sent.mockReset().mockResolvedValue({ data: undefined, etag: undefined })
  keepCopy({ user: 'me', lists: {}, unsent: {} })
  return () => vi.useRealTimers()
})
const bodies = () => sent.mock.calls.map(([, input]) => input)

test('a change shows at once, and is sent soon, together with others', async () => {
  changeListPreference('disks', { isDense: true })
  changeListPreference('disks', { pageSize: 100 })
  expect(listPreference('disks')).toEqual({ ...untouched, isDense: true, pageSize: 100 })
  await vi.runAllTimersAsync()
  expect(bodies()).toEqual([{ path: { list: 'disks' }, body: { isDense: true, pageSize: 100 } }])
  expect(preferences.get().unsent).toEqual({})
})

test('what the server has wins, but for what it does not have yet', async () => {
  sent.mockRejectedValue(new Failure({ message: 'Away', statusCode: 503 }))
  changeListPreference('disks', { isDense: true })
  await vi.runAllTimersAsync()
  expect(preferences.get().unsent).toEqual({ disks: { isDense: true } })
  sent.mockResolvedValue({ data: undefined, etag: undefined })
  const columns = [{ id: 'size', isShown: false }]
  const there = { columns, isDense: false, pageSize: 25, views: [], sharedViews: [] }
  takeSaved({
    items: [
      { list: 'disks', ...there },
      { list: 'images', ...there },
    ],
  })
  expect(listPreference('disks')).toEqual({ ...there, isDense: true })
  expect(listPreference('images')).toEqual(there)
  await vi.runAllTimersAsync()
  expect(bodies().at(-1)).toEqual({ path: { list: 'disks' }, body: { isDense: true } })
  takeSaved({ items: [] })
  expect(listPreference('disks')).toEqual(untouched)
})

test('a copy of another user is not shown', () => {
  keepCopy({ user: 'me', lists: { disks: { ...untouched, isDense: true } }, unsent: {} })
  expect(ownCopy('me')).toBe(true)
  expect(ownCopy('somebody-else')).toBe(false)
  expect(listPreference('disks')).toEqual(untouched)
})

test.each([
  ['/projects/$project/instances', '/v1/instances', 'instances'],
  ['/all/floating-ips', '/ext/v1/floating-ips', 'floating-ips'],
  ['/all/external-subnets', '/ext/v1/external-subnets', 'external-subnets'],
  ['/system/instances', '/ext/v1/system/instances', 'system-instances'],
  ['/images', '/v1/images', 'images'],
] as const)('the page %s is of the list that %s answers', (page, path, id) => {
  expect([listIdAt(page), listId({ path })]).toEqual([id, id])
})
