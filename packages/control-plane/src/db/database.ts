import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
/** The database outside a change: reads only. */
export type Reader = Pick<Db, 'selectFrom' | 'selectNoFrom' | 'fn' | 'with' | 'getExecutor' | 'executeQuery'>
export type Tx = Transaction<Tables>
