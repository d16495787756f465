import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { provisionedIn } from './utilization-queries.ts'

afterEach(() => vi.unstubAllGlobals())

const pageSize = 3000
/** A server with a change each second since 1970. */
function serveChanges(total: number): URL[] {
  const asked: URL[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    const url = new URL(path, 'http://localhost')
    asked.push(url)
    const { searchParams: query } = url
    const from = Number(query.get('page_token') ?? 0)
    const isBefore = query.get('order') === 'descending'
    const seconds = isBefore
      ? []
      : Array.from({ length: Math.min(pageSize, total - from) }, (_, at) => from + at + 1)
    const items = seconds.map((second) => ({
      timestamp: new Date(second * 1000).toISOString(),
      datum: { type: 'i64', datum: second },
    }))
    return Response.json({ items, next_page: items.length > 0 ? String(from + items.length) : null })
  })
  return asked
}

test.each([
  [1, 1],
  [pageSize - 1, 1],
  [pageSize, 2],
  [pageSize * 2 + 5, 3],
])('%i changes are read whole, in %i pages', async (total, pages) => {
  const asked = serveChanges(total)
  const range = [0, total + 100] as const
  const steps = await new QueryClient().fetchQuery(
    provisionedIn({ of: 'silo' }, 'cpus_provisioned', [...range], 'test'),
  )
  expect(asked.filter(({ searchParams }) => searchParams.get('limit') === String(pageSize))).toHaveLength(
    pages,
  )
  // One at the start of the range, all changes, and one at its end.
  expect(steps).toHaveLength(total + 2)
  expect(steps.at(-1)).toEqual({ time: total + 100, amount: total })
})
