import { leaseConformance } from '../testing/lease-conformance.ts'
import { migratedDatabase } from '../testing/migrated-database.ts'

leaseConformance(migratedDatabase)
