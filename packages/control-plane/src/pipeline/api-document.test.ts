import { describe, expect, test, vi } from 'vitest'
import { baseVersion } from '@gantry/api/versions/version.rules'
import { documentAt, sendDocument } from './api-document.ts'

const paths = ['/openapi.json', '/ext/v1/openapi.json']

describe.each(paths)('the document at %s', (path) => {
  const ask = async (headers: Record<string, string> = {}, method = 'GET') => {
    const document = documentAt(path, baseVersion)
    if (!document) throw new Error(`no document at ${path}`)
    const request = new Request(`http://localhost${path}`, { method, headers })
    return sendDocument(request, document, new Headers())
  }

  test('is serialised once, however often it is requested', async () => {
    const serialised = vi.spyOn(JSON, 'stringify')
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask()))
    const ofDocument = serialised.mock.calls.filter(
      ([value]) => typeof value === 'object' && 'openapi' in value,
    )
    // Zero when an earlier test has requested it.
    expect(ofDocument.length).toBeLessThanOrEqual(1)
    serialised.mockRestore()
    const texts = new Set(await Promise.all(answers.map((answer) => answer.text())))
    expect(texts.size).toBe(1)
  })

  test.each([
    ['its tag', (tag: string) => tag, 304],
    ['its tag among others', (tag: string) => `"old", W/${tag}`, 304],
    ['any', () => '*', 304],
    ['an old tag', () => '"old"', 200],
    ['part of its tag', (tag: string) => tag.slice(0, -2), 200],
  ])('a client that has %s', async (_, tagFrom, status) => {
    const etag = (await ask()).headers.get('etag') ?? ''
    const answer = await ask({ 'if-none-match': tagFrom(etag) })
    expect([answer.status, answer.headers.get('etag')]).toEqual([status, etag])
    expect((await answer.text()) === '').toBe(status === 304)
  })

  test.each(['HEAD', 'POST'])('%s is not allowed', async (method) => {
    await expect(ask({}, method)).rejects.toThrow('Method Not Allowed')
  })
})

test('paths outside the API have no document', () => {
  expect(documentAt('/v1/me', baseVersion)).toBeUndefined()
})
