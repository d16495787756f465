import { leaseConformance } from '@gantry/control-plane/testing/lease-conformance'
import { afterAll, describe } from 'vitest'
import { openDatabase } from '../database/open.ts'
import { temporaryPostgres } from '../testing/temporary-postgres.ts'

const postgres = await temporaryPostgres()
const here = 'missing' in postgres ? undefined : postgres
if ('missing' in postgres) console.warn(`skipped: leases on PostgreSQL, ${postgres.missing}`)

describe.skipIf(!here)('leases on PostgreSQL', () => {
  afterAll(() => here?.stop())
  leaseConformance(async () => (await openDatabase({ url: (await here?.newDatabase()) ?? '' })).dialect)
})
