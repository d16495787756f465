import { sql } from 'kysely'
import type { SecondFactorRule } from '@gantry/api/people/second-factor.rules'
import type { Reader } from '@gantry/control-plane/db/database'

export interface Factors {
  /** All passkeys, and those usable at this domain. */
  passkeys: number
  passkeys_here: number
  totp: boolean
  recovery_codes: number
}

/** Counts a user's factors. `rpId` is the domain of the request, if any. */
export async function factorsOf(db: Reader, id: string, rpId = ''): Promise<Factors> {
  const { rows } = await sql<Factors>`SELECT
    (SELECT count(*)::int FROM passkey WHERE silo_user_id = ${id}) AS passkeys,
    (SELECT count(*)::int FROM passkey WHERE silo_user_id = ${id} AND rp_id = ${rpId}) AS passkeys_here,
    EXISTS (SELECT 1 FROM totp WHERE silo_user_id = ${id}) AS totp,
    (SELECT count(*)::int FROM recovery_code WHERE silo_user_id = ${id}) AS recovery_codes`.execute(db)
  const [row] = rows
  if (!row) throw new Error('a query without a table answered nothing')
  return row
}

/** Recovery codes replace a factor, but are not one themselves. */
export const hasFactor = ({ passkeys, totp }: Factors): boolean => passkeys > 0 || totp

/** The silo's requirement. */
export async function secondFactorRule(
  db: Pick<Reader, 'selectFrom'>,
  silo_id: string,
): Promise<SecondFactorRule> {
  const row = await db
    .selectFrom('silo_auth_settings')
    .select('second_factor')
    .where('silo_id', '=', silo_id)
    .executeTakeFirst()
  return row?.second_factor ?? 'optional'
}
