import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test.each([
  ['C', new Intl.NumberFormat().resolvedOptions().locale],
  ['de-CH', 'de-CH'],
])('the language %s is formatted as %s', async (language, known) => {
  vi.stubGlobal('navigator', { language })
  await import('./known-language.ts')
  expect(navigator.language).toBe(known)
  expect(() => new Intl.NumberFormat(navigator.language)).not.toThrow()
})
