import type { SiloAuthSettings, SiloAuthSettingsUpdate } from '@gantry/api/people/auth-settings'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { allow, know, needOwnSilo } from '../../lookup/need.ts'
import { generationKey, isExpected, stale } from '../../lookup/etag.ts'

interface Settings {
  generation: number
  device_token_max_ttl_seconds: number | null
}

/** The silo's settings; defaults if none were set. */
export async function authSettingsOf(db: Reader, silo_id: string): Promise<Settings> {
  const row = await db
    .selectFrom('silo_auth_settings')
    .select(['generation', 'device_token_max_ttl_seconds'])
    .where('silo_id', '=', silo_id)
    .executeTakeFirst()
  return row ?? { generation: 1, device_token_max_ttl_seconds: null }
}

const view = (silo_id: string, { generation, ...settings }: Settings): SiloAuthSettings =>
  Object.assign({ silo_id, ...settings }, { [generationKey]: generation })

export async function viewAuthSettings(cx: Cx): Promise<SiloAuthSettings> {
  const { silo_id } = needOwnSilo(cx, 'read')
  return view(silo_id, await authSettingsOf(cx.db, silo_id))
}

/** Applies to new tokens: existing ones keep their expiry. */
export async function updateAuthSettings(cx: Cx, update: SiloAuthSettingsUpdate): Promise<SiloAuthSettings> {
  const { silo_id } = cx.user()
  return view(silo_id, await changeSettings(cx, authSettingsOf, update))
}

/**
 * Changes settings of the caller's silo for signing in. They share a row with its generation; `read` reads the part that
 * is changed.
 */
export async function changeSettings<Part extends Partial<Omit<Row<'silo_auth_settings'>, 'generation'>>>(
  cx: Cx,
  read: (db: Reader, silo_id: string) => Promise<NoInfer<Part> & { generation: number }>,
  update: Part,
  check: (silo: Row<'silo'>) => void = () => {},
): Promise<Part & { generation: number }> {
  const { silo_id } = cx.user()
  // In a silo that maps roles to the fleet, only the fleet may change this, as with its other settings.
  allow(cx, await know(cx, 'silo', { silo: silo_id }), 'modify')
  return change(cx, { silo_id, project_id: null }, async (tx) => {
    check(await tx.lockById('silo', silo_id))
    const before = await read(tx.read, silo_id)
    if (!isExpected(cx, before.generation)) throw stale(before.generation)
    const after = { ...update, generation: before.generation + 1 }
    await tx.plain
      .insertInto('silo_auth_settings')
      .values({ silo_id, ...after })
      .onConflict((conflict) => conflict.column('silo_id').doUpdateSet(after))
      .execute()
    tx.note('silo-auth-settings', silo_id, before, after)
    return after
  })
}
