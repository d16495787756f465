import { beforeEach, expect, test, vi } from 'vitest'

const answer = (body: string) => ({ headers: [['etag', '"1"']], body })

beforeEach(() => {
  vi.resetModules()
  const textContent = JSON.stringify({ '/v1/me': answer('me'), '/v1/images': answer('images') })
  vi.stubGlobal('document', { getElementById: () => ({ textContent }) })
  return () => vi.unstubAllGlobals()
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

test('an answer goes stale ten seconds after the page began to load', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(10_001)
  const { firstAnswer } = await import('./first-answers.ts')
  expect(firstAnswer('/v1/me')).toBeUndefined()
  vi.restoreAllMocks()
})
