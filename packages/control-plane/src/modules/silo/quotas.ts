import type { SiloQuotas, SiloQuotasUpdate } from '@gantry/api/people/system-silo'
import type { Row } from '../../db/tables.ts'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { allow, know, need, type Selectors } from '../../lookup/need.ts'
import { generationKey, isExpected, stale } from '../../lookup/etag.ts'

export const quotasView = ({ generation, ...quotas }: Row<'silo_quotas'>): SiloQuotas =>
  Object.assign(quotas, { [generationKey]: generation })

export async function viewQuotas(cx: Cx, at: Selectors): Promise<SiloQuotas> {
  const { id } = (await need(cx, 'silo', at, 'read')).row
  return quotasView(await quotasOf(cx.db, id).executeTakeFirstOrThrow())
}

/** A quota below current usage is allowed: it only prevents further use (control plane reference, A 8.3). */
export async function updateQuotas(cx: Cx, at: Selectors, body: SiloQuotasUpdate): Promise<SiloQuotas> {
  const silo = await know(cx, 'silo', at)
  allow(cx, silo, 'modify', { as: 'siloQuotas' })
  const { id } = silo.row
  return change(cx, silo.scope, async (tx) => {
    await tx.hold('silo', id)
    const before = await quotasOf(tx.read, id).forUpdate().executeTakeFirstOrThrow()
    if (!isExpected(cx, before.generation)) throw stale(before.generation)
    const after = await tx.plain
      .updateTable('silo_quotas')
      .set({
        cpus: body.cpus ?? before.cpus,
        memory: body.memory ?? before.memory,
        storage: body.storage ?? before.storage,
        generation: before.generation + 1,
      })
      .where('silo_id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    tx.note('silo-quotas', id, before, after)
    return quotasView(after)
  })
}

const quotasOf = (db: Reader, siloId: string) =>
  db.selectFrom('silo_quotas').selectAll().where('silo_id', '=', siloId)
