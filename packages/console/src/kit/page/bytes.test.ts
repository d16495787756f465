import { afterEach, expect, test, vi } from 'vitest'
import { sha256 } from './bytes.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1000, 65_537])(
  'an insecure page computes the same digest of %i bytes as the platform',
  async (length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + 7) % 251)
    const expected = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    expect(await sha256(bytes)).toEqual(expected)
    // In that context, the browser has `crypto` without `subtle`.
    vi.stubGlobal('crypto', {})
    expect(await sha256(bytes)).toEqual(expected)
  },
)
