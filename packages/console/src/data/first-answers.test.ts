import { beforeEach, expect, type MockInstance, test, vi } from 'vitest'

const answer = (body: string) => ({ headers: [['etag', '"1"']], body })

let clock: MockInstance<() => number>

beforeEach(() => {
  vi.resetModules()
  const textContent = JSON.stringify({ '/v1/me': answer('me'), '/v1/images': answer('images') })
  vi.stubGlobal('document', { getElementById: () => ({ textContent }) })
  // A page begins with its navigation; a test worker began long before its test.
  clock = vi.spyOn(performance, 'now').mockReturnValue(100)
  return () => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  }
})

test('each embedded answer serves one request', async () => {
  const { firstAnswer } = await import('./first-answers.ts')
  const first = firstAnswer('/v1/me')
  expect([await first?.text(), first?.headers.get('etag')]).toEqual(['me', '"1"'])
  expect(firstAnswer('/v1/me')).toBeUndefined()
  expect(firstAnswer('/v1/disks')).toBeUndefined()
})

test('a change drops the remaining answers', async () => {
  const { firstAnswer } = await import('./first-answers.ts')
  expect(firstAnswer('/v1/me', 'POST')).toBeUndefined()
  expect(firstAnswer('/v1/images')).toBeUndefined()
})

test('a valid answer is served up to ten seconds after the page began to load', async () => {
  clock.mockReturnValue(9_999)
  const { firstAnswer } = await import('./first-answers.ts')
  expect(firstAnswer('/v1/me')).toBeDefined()
})

test('an answer goes stale ten seconds after the page began to load', async () => {
  clock.mockReturnValue(10_001)
  const { firstAnswer } = await import('./first-answers.ts')
  expect(firstAnswer('/v1/me')).toBeUndefined()
})
