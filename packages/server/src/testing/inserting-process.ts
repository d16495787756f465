/**
 * A process for tests to kill: opens the data directory of its first argument and inserts consecutive rows
 * from the number in its second, writing each number to stdout once the database has acknowledged it.
 */
import { Kysely, sql } from 'kysely'
import { openDatabase } from '../database/open.ts'

const [, , dataDir = '', first = '1'] = process.argv

try {
  const { dialect } = await openDatabase({ dataDir })
  const db = new Kysely<{ row: { id: number; filler: string } }>({ dialect })
  await sql`create table if not exists row (id int8 primary key, filler text)`.execute(db)
  process.stdout.write('open\n')
  for (let id = Number(first); ; id += 1) {
    await db
      .insertInto('row')
      .values({ id, filler: 'x'.repeat(200) })
      .execute()
    process.stdout.write(`${id}\n`)
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
