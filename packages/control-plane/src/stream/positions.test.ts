import { describe, expect, test } from 'vitest'
import { testServices } from '../testing/services.ts'
import { migratedDatabase } from '../testing/migrated-database.ts'
import { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { Positions } from './positions.ts'

describe('positions in the change stream', async () => {
  const services = testServices({ db: new Kysely<Tables>({ dialect: await migratedDatabase() }) })
  const positions = new Positions(services)

  test('are unknown before the key is loaded', async () => {
    expect(positions.seal(1)).toBeUndefined()
    await positions.load()
    expect(positions.seal(1)).toMatch(/^[0-9a-f]{32}$/)
  })

  test.each([0, 1, 500, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 7, 2 ** 48 - 1])(
    'of number %i open in every process, and are others each time',
    async (number) => {
      await positions.load()
      const sealed = Array.from({ length: 20 }, () => positions.seal(number) ?? '')
      expect(new Set(sealed).size).toBe(20)
      const elsewhere = new Positions(services)
      await elsewhere.load()
      expect(sealed.map((position) => elsewhere.open(position))).toEqual(sealed.map(() => number))
    },
  )

  test.each(['', '0', '12', 'x'.repeat(32), '0'.repeat(32), 'F'.repeat(32), '0'.repeat(64)])(
    'are not %j',
    async (text) => {
      await positions.load()
      expect(positions.open(text)).toBeUndefined()
    },
  )
})
