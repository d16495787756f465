import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Environment } from '../environment.ts'
import { toHex } from './ids.ts'

/** Where the secrets are, and what makes and seals them. */
export interface KeyStore extends Pick<Environment, 'seal' | 'random'> {
  db: Db
}

/**
 * A secret of this installation: 64 hexadecimal digits, sealed in the database. Created by whichever process needs it
 * first, and shared by all.
 */
export async function installationKey({ db, seal, random }: KeyStore, name: string): Promise<string> {
  const fresh = await seal.seal(toHex(random(32)))
  await db
    .insertInto('signing_key')
    .values({ name, key: fresh })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { rows } = await sql<{ key: string }>`SELECT key FROM signing_key WHERE name = ${name}`.execute(db)
  return seal.open(rows[0]?.key ?? '')
}
