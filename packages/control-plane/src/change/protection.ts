import { protectedBy, protectionHelp, type ProtectedAction } from '@gantry/api/history/protection.rules'
import type { ResourceLocation } from '../authz/policy.ts'
import type { Reader } from '../db/database.ts'
import type { StoredProtection } from '../db/tables/column-types.ts'
import type { TrackedName } from '../db/tables.ts'
import { kinds } from '../lookup/kinds.ts'
import { invalid } from '../context/refusal.ts'

interface Deciding {
  cx: { can: (action: 'read', location: ResourceLocation) => boolean }
  read: Pick<Reader, 'selectFrom'>
}

/**
 * Refuses what the object's protection forbids. It is a part of the row, so a row that is locked decides for certain:
 * a protection is either set before, and refuses, or after, and finds the object gone.
 */
export async function refuseProtected(
  { cx, read }: Deciding,
  table: TrackedName,
  row: object,
  action: ProtectedAction,
): Promise<void> {
  const { name, protection } = row as { name?: string | null; protection?: StoredProtection | null }
  if (!protection || !(action === 'stop' ? protection.no_stop : protection.no_delete)) return
  const by = await read
    .selectFrom('silo_user')
    .select(['external_id', 'silo_id'])
    .where('id', '=', protection.user_id)
    .executeTakeFirst()
  // Which operator it was is none of the silo's business.
  const shown = by && cx.can('read', { class: 'siloUser', silo_id: by.silo_id }) ? by.external_id : null
  throw invalid(`${kinds[table].noun} ${name} is ${protectedBy(shown, protection.reason)}`, protectionHelp)
}
