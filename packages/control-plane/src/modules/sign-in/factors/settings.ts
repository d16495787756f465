import type { SecondFactorSettings } from '@gantry/api/people/second-factor'
import type { SecondFactorRule } from '@gantry/api/people/second-factor.rules'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { Reader } from '@gantry/control-plane/db/database'
import { needOwnSilo } from '@gantry/control-plane/lookup/need'
import { invalid } from '@gantry/control-plane/context/refusal'
import { generationKey } from '@gantry/control-plane/lookup/etag'
import { changeSettings } from '../auth-settings.ts'

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
  const after = await changeSettings(cx, settingsOf, { second_factor }, ({ identity_mode }) => {
    if (second_factor === 'required' && identity_mode !== 'local_only')
      throw invalid(
        'this silo has no local users',
        'Require a second factor in the identity provider, which signs these users in.',
      )
  })
  return view(after)
}
