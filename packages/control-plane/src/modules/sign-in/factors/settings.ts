import type { SecondFactorSettings } from '@gantry/api/people/second-factor'
import type { SecondFactorRule } from '@gantry/api/people/second-factor.rules'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { Reader } from '@gantry/control-plane/db/database'
import { allow, know, needOwnSilo } from '@gantry/control-plane/lookup/need'
import { invalid } from '@gantry/control-plane/context/refusal'
import { generationKey, isExpected, stale } from '@gantry/control-plane/lookup/etag'

interface Settings {
  generation: number
  second_factor: SecondFactorRule
}

async function settingsOf(db: Pick<Reader, 'selectFrom'>, silo_id: string): Promise<Settings> {
  const row = await db
    .selectFrom('silo_auth_settings')
    .select(['generation', 'second_factor'])
    .where('silo_id', '=', silo_id)
    .executeTakeFirst()
  return row ?? { generation: 1, second_factor: 'optional' }
}

const view = ({ generation, second_factor }: Settings): SecondFactorSettings =>
  Object.assign({ second_factor }, { [generationKey]: generation })

export async function viewSecondFactorSettings(cx: Cx): Promise<SecondFactorSettings> {
  const { silo_id } = needOwnSilo(cx, 'read')
  return view(await settingsOf(cx.db, silo_id))
}

/**
 * Takes effect at the next sign-in: open sessions continue. Shares its row and generation with the other auth
 * settings.
 */
export async function updateSecondFactorSettings(
  cx: Cx,
  { second_factor }: SecondFactorSettings,
): Promise<SecondFactorSettings> {
  // In a silo that maps roles to the fleet, only the fleet may change this, as with its other settings.
  const { silo_id } = cx.user()
  allow(cx, await know(cx, 'silo', { silo: silo_id }), 'modify')
  return change(cx, { silo_id, project_id: null }, async (tx) => {
    const silo = await tx.lockById('silo', silo_id)
    if (second_factor === 'required' && silo.identity_mode !== 'local_only')
      throw invalid(
        'this silo has no local users',
        'Require a second factor in the identity provider, which signs these users in.',
      )
    const before = await settingsOf(tx.read, silo_id)
    if (!isExpected(cx, before.generation)) throw stale(before.generation)
    const after = { second_factor, generation: before.generation + 1 }
    await tx.plain
      .insertInto('silo_auth_settings')
      .values({ silo_id, ...after })
      .onConflict((conflict) => conflict.column('silo_id').doUpdateSet(after))
      .execute()
    tx.note('silo-auth-settings', silo_id, before, after)
    return view(after)
  })
}
