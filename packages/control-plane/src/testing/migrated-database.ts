import type { PGlite } from '@electric-sql/pglite'
import { type Dialect, Kysely } from 'kysely'
import { BoundedPGlite } from '../db/bounded-pglite.js'
import { inProcessPglite, type InProcess } from '../db/in-process-pglite.ts'
import { migrate } from '../db/migrate.ts'
import type { Tables } from '../db/tables.ts'

interface Template {
  copy: Blob
  /** Tables with rows of migrations. */
  filled: readonly string[]
  /** The schema and those rows, as a digest. */
  digest: string
}

/** Kept for every test file of a worker, like the databases whose tests have ended. */
let template: Promise<Template> | undefined
const ended: PGlite[] = []

/**
 * An embedded database with the schema and nothing else. One whose tests have ended is emptied, which takes a tenth
 * of the time of a copy; creating and migrating one takes five times as long. Tests of migrations create their own.
 */
export async function migratedDatabase(): Promise<Dialect> {
  template ??= makeTemplate()
  const { copy, filled, digest } = await template
  const used = ended.pop()
  const isAsNew = used !== undefined && (await empty(used, filled)) === digest
  return inProcessPglite(lent(isAsNew ? used : await opened({ loadDataDir: copy })))
}

async function opened(options?: { loadDataDir: Blob }): Promise<PGlite> {
  const database = new BoundedPGlite(options)
  await database.waitReady
  return database
}

async function makeTemplate(): Promise<Template> {
  const database = await opened()
  await migrate(new Kysely<Tables>({ dialect: inProcessPglite(database) }))
  const copy = await database.dumpDataDir('none')
  const filled = await filledTables(database)
  const digest = await empty(database, filled)
  ended.push(database)
  return { copy, filled, digest }
}

/** The database until it is closed: from then on, what a stopped control plane still asks fails. */
function lent(database: PGlite): InProcess {
  let isOver = false
  const open = (): PGlite => {
    if (isOver) throw new Error('The database is closed.')
    return database
  }
  return {
    query: (...call) => open().query(...call),
    exec: (...call) => open().exec(...call),
    execProtocolStream: (...call) => open().execProtocolStream(...call),
    runExclusive: (work) => open().runExclusive(work),
    serializers: database.serializers,
    parsers: database.parsers,
    async close() {
      if (!isOver) ended.push(database)
      isOver = true
    },
  }
}

async function filledTables(database: PGlite): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  const filled: string[] = []
  for (const { name } of rows)
    if ((await database.query(`select from "${name}" limit 1`)).rows.length > 0) filled.push(name)
  return filled
}

/** Removes all rows but those of migrations, and the state of the session. Returns a digest of what is left. */
async function empty(database: PGlite, filled: readonly string[]): Promise<string> {
  // A transaction may have lost its end when its control plane stopped.
  await database.exec('rollback')
  await database.exec('discard all')
  await database.exec(emptying(filled))
  const { rows } = await database.query<{ digest: string }>(digestOf(filled))
  return rows[0]?.digest ?? ''
}

const emptying = (filled: readonly string[]): string => `do $$
declare
  relation regclass;
  has_rows boolean;
begin
  for relation in
    select oid from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all ('{${filled.join(',')}}')
  loop
    execute format('select exists (select from %s)', relation) into has_rows;
    if has_rows then execute format('truncate %s cascade', relation); end if;
  end loop;
  for relation in select oid from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace loop
    execute format('alter sequence %s restart', relation);
  end loop;
end $$`

const digestOf = (
  filled: readonly string[],
): string => `select md5(string_agg(line, ';' order by line)) as digest
from (
  select concat_ws(' ', relname, relkind, relnatts) from pg_class where relnamespace = 'public'::regnamespace
  union all select concat_ws(' ', relname, attname, atttypid, attnotnull)
    from pg_attribute join pg_class on pg_class.oid = attrelid and relnamespace = 'public'::regnamespace
  union all select concat_ws(' ', tgrelid::regclass, tgname, tgenabled) from pg_trigger
  union all select concat_ws(' ', proname, md5(prosrc)) from pg_proc where pronamespace = 'public'::regnamespace
  union all select concat_ws(' ', conrelid::regclass, conname) from pg_constraint
  ${filled.map((name) => `union all select "${name}"::text from "${name}"`).join(' ')}
) as lines (line)`
