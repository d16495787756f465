import { expect, test } from 'vitest'
import { sha256InScript } from './sha256.ts'

test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1000, 65_537])(
  '%i bytes as the platform has it',
  async (length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + 7) % 251)
    expect(sha256InScript(bytes)).toEqual(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  },
)
