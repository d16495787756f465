import type { Certificate, CertificateCreate } from '@gantry/api/certificate'
import type { Action } from '@gantry/api/extensions.rules'
import { canonicalUuid, isUuid } from '@gantry/api/name.rules'
import { needed, type Place } from '../../authz/policy.ts'
import type { Row } from '../../db/tables.ts'
import { type Change, change } from '../../kernel/change.ts'
import type { Cx } from '../../kernel/cx.ts'
import { addressOf, aim } from '../../kernel/need.ts'
import { forbidden } from '../../kernel/refusal.ts'
import { resourceView } from '../../kernel/views.ts'
import { checkCertificate } from './certificate-check.ts'

export const certificateView = (row: Row<'certificate'>): Certificate =>
  resourceView(row, { service: row.service, cert: row.cert })

/** Certificates of the caller's own silo. */
export const certificatesHere = (cx: Cx): Place => ({ class: 'certificate', silo_id: cx.user().silo_id })

/** Looked at before it is asked who may add it (control plane reference, A 10). */
export async function createCertificate(cx: Cx, body: CertificateCreate): Promise<Row<'certificate'>> {
  const { silo_id, silo_name } = cx.user()
  checkCertificate(cx, silo_name, body)
  cx.demand('create_child', certificatesHere(cx))
  return change(cx, { silo_id, project_id: null }, async (tx) => {
    await tx.hold('silo', silo_id)
    return insertCertificate(tx, silo_id, body)
  })
}

export async function insertCertificate(
  tx: Change,
  silo_id: string,
  { key, ...certificate }: CertificateCreate,
): Promise<Row<'certificate'>> {
  const row = await tx.insert('certificate', { ...certificate, silo_id })
  const sealed = await tx.cx.services.seal.seal(key)
  await tx.plain.insertInto('certificate_key').values({ certificate_id: row.id, key: sealed }).execute()
  return row
}

export async function needCertificate(cx: Cx, selector: string, action: Action): Promise<Row<'certificate'>> {
  const own = cx.db
    .selectFrom('certificate')
    .selectAll()
    .where('silo_id', '=', cx.user().silo_id)
    .where('time_deleted', 'is', null)
  const row = await (
    isUuid(selector) ? own.where('id', '=', canonicalUuid(selector)) : own.where('name', '=', selector)
  ).executeTakeFirst()
  if (!row || !cx.can('read', certificatesHere(cx))) throw addressOf('certificate', selector)
  if (!cx.can(action, certificatesHere(cx))) throw forbidden(needed(action, certificatesHere(cx)))
  return row
}

export async function deleteCertificate(cx: Cx, selector: string): Promise<void> {
  const { id, silo_id, generation } = await needCertificate(cx, selector, 'modify')
  aim(cx, { id, generation })
  await change(cx, { silo_id, project_id: null }, async (tx) => {
    const certificate = await tx.lock('certificate', id)
    await tx.plain.deleteFrom('certificate_key').where('certificate_id', '=', id).execute()
    await tx.remove('certificate', certificate)
  })
}
