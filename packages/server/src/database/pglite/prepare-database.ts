import { migrate } from '@gantry/control-plane/db/migrate'
import type { Tables } from '@gantry/control-plane/db/tables'
import { Kysely } from 'kysely'
import { openDatabase } from '../open.ts'

/** Run once by a build: makes the database that first starts copy, with the schema of this program and no rows. */
const [dataDir] = process.argv.slice(2)
if (!dataDir) throw new Error('usage: prepare-database DATA_DIRECTORY')

const { dialect, close } = await openDatabase({ dataDir })
await migrate(new Kysely<Tables>({ dialect }))
await close()
