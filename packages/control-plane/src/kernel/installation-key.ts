import { sql } from 'kysely'
import { toHex } from './ids.ts'
import type { Services } from './services.ts'

/**
 * A secret of this installation: 64 hexadecimal digits, sealed in the database. Created by whichever process needs it
 * first, and shared by all.
 */
export async function installationKey(
  { db, seal, random }: Pick<Services, 'db' | 'seal' | 'random'>,
  name: string,
): Promise<string> {
  const fresh = await seal.seal(toHex(random(32)))
  await db
    .insertInto('signing_key')
    .values({ name, key: fresh })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { rows } = await sql<{ key: string }>`SELECT key FROM signing_key WHERE name = ${name}`.execute(db)
  return seal.open(rows[0]?.key ?? '')
}
