import type { Certificate, CertificateCreate } from '@gantry/api/people/certificate'
import { withoutPrivateKeys } from '@gantry/api/base/private-key.rules'
import type { Row } from '../../db/tables.ts'
import { type Change, change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { need, needOwnSilo, type Selectors } from '../../lookup/need.ts'
import { resourceView } from '../../lookup/views.ts'
import { checkCertificate } from './certificate-check.ts'

export const certificateView = (row: Row<'certificate'>): Certificate =>
  resourceView(row, { service: row.service, cert: row.cert })

/** Validated before authorisation (control plane reference, A 10). */
export async function createCertificate(cx: Cx, body: CertificateCreate): Promise<Row<'certificate'>> {
  const { silo_id, silo_name } = cx.user()
  checkCertificate(cx, silo_name, body)
  needOwnSilo(cx, 'create_child', 'certificate')
  return keepCertificate(cx, silo_id, body)
}

/** For a silo to which the caller may add certificates. */
export async function addCertificate(
  cx: Cx,
  { id, name }: Pick<Row<'silo'>, 'id' | 'name'>,
  body: CertificateCreate,
): Promise<Row<'certificate'>> {
  checkCertificate(cx, name, body)
  return keepCertificate(cx, id, body)
}

const keepCertificate = (cx: Cx, silo_id: string, body: CertificateCreate): Promise<Row<'certificate'>> =>
  change(cx, { silo_id, project_id: null }, async (tx) => {
    await tx.hold('silo', silo_id)
    return insertCertificate(tx, silo_id, body)
  })

export async function insertCertificate(
  tx: Change,
  silo_id: string,
  { key, ...certificate }: CertificateCreate,
): Promise<Row<'certificate'>> {
  const row = await tx.insert('certificate', {
    ...certificate,
    // Everyone who may see the certificate reads the chain.
    cert: withoutPrivateKeys(certificate.cert),
    silo_id,
  })
  const sealed = await tx.cx.services.seal.seal(key)
  await tx.plain.insertInto('certificate_key').values({ certificate_id: row.id, key: sealed }).execute()
  return row
}

export async function deleteCertificate(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'certificate', at, 'modify')
  await change(cx, scope, async (tx) => {
    const certificate = await tx.lock('certificate', row)
    await tx.plain.deleteFrom('certificate_key').where('certificate_id', '=', row.id).execute()
    await tx.remove('certificate', certificate)
  })
}
