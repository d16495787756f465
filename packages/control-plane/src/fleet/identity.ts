import { sql } from 'kysely'
import type { Db, Reader } from '../db/database.ts'
import type { Fleet } from './fleet.ts'

export const simulatedDriver = 'simulated'

/** The database belongs to another fleet, whose machines and disks this one does not have. */
export class OtherFleet extends Error {}

/** Notes that the database belongs to this fleet; throws if it belongs to another one. */
export async function claimForFleet(db: Db, { driver }: Fleet): Promise<void> {
  await sql`INSERT INTO fleet_identity (driver) VALUES (${driver}) ON CONFLICT DO NOTHING`.execute(db)
  const problem = await fleetProblem(db, driver)
  if (problem) throw new OtherFleet(`${problem.message} ${problem.advice}`)
}

/** Why the fleet of this driver cannot use the database. Before its first start a database belongs to none. */
export async function fleetProblem(
  db: Reader,
  driver: string,
): Promise<{ message: string; advice: string } | undefined> {
  const owner = await db.selectFrom('fleet_identity').select('driver').executeTakeFirst()
  if (!owner || owner.driver === driver) return undefined
  return {
    message: `The machines and disks of this database belong to the fleet ${owner.driver}, and this is the fleet ${driver}.`,
    advice: 'Start with the same --fleet and --data-dir as before, or with another database.',
  }
}
