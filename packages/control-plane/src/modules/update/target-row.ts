import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'

/** The rack that was there first. */
export const firstRack = (
  db: Pick<Reader, 'selectFrom'>,
): Promise<Pick<Row<'rack'>, 'time_created'> | undefined> =>
  db.selectFrom('rack').select('time_created').orderBy('time_created').limit(1).executeTakeFirst()

/** The current target release; undefined if none was ever set. */
export const currentTarget = (db: Pick<Reader, 'selectFrom'>): Promise<Row<'target_release'> | undefined> =>
  db.selectFrom('target_release').selectAll().orderBy('generation', 'desc').limit(1).executeTakeFirst()
