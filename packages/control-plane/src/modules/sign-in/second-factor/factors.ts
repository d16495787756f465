import { sql } from 'kysely'
import type { SecondFactorRule } from '@gantry/api/second-factor.rules'
import type { Reader } from '../../../kernel/cx.ts'

export interface Factors {
  /** All of them, and those that can be used at this domain. */
  passkeys: number
  passkeys_here: number
  totp: boolean
  recovery_codes: number
}

/** What somebody has, counted. `rpId` is the domain of the request, where it has one. */
export async function factorsOf(db: Pick<Reader, 'selectFrom'>, id: string, rpId = ''): Promise<Factors> {
  const count = (table: 'passkey' | 'totp' | 'recovery_code') =>
    db.selectFrom(table as 'passkey').where('silo_user_id', '=', id)
  const passkeys = await count('passkey')
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`(count(*) FILTER (WHERE rp_id = ${rpId}))::int`.as('here'),
    ])
    .executeTakeFirstOrThrow()
  const totp = await count('totp').select('silo_user_id').executeTakeFirst()
  const codes = await count('recovery_code')
    .select(sql<number>`count(*)::int`.as('all'))
    .executeTakeFirstOrThrow()
  return {
    passkeys: passkeys.all,
    passkeys_here: passkeys.here,
    totp: totp !== undefined,
    recovery_codes: codes.all,
  }
}

/** Recovery codes stand in for a factor; by themselves they are none. */
export const hasFactor = ({ passkeys, totp }: Factors): boolean => passkeys > 0 || totp

/** What the silo asks of its people. */
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
