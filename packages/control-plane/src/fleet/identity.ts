import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Fleet } from './fleet.ts'

/** The database belongs to another fleet, whose machines and disks this one does not have. */
export class OtherFleet extends Error {}

/** Notes that the database belongs to this fleet; throws if it belongs to another one. */
export async function claimForFleet(db: Db, { driver }: Fleet): Promise<void> {
  await sql`INSERT INTO fleet_identity (driver) VALUES (${driver}) ON CONFLICT DO NOTHING`.execute(db)
  const { driver: owner } = await db.selectFrom('fleet_identity').select('driver').executeTakeFirstOrThrow()
  if (owner !== driver)
    throw new OtherFleet(
      `The machines and disks of this database belong to the fleet ${owner}, and this is the fleet ${driver}. ` +
        'Start with the same --fleet and --data-dir as before, or with another database.',
    )
}
