import type { CertificateCreate } from '@gantry/api/people/certificate'
import { certificateLife, spanOf } from '@gantry/api/people/certificate.rules'
import type { CertificateDescription, SiloCertificate } from '@gantry/api/people/silo-contents'
import { siloDnsName } from '@gantry/api/people/silo.rules'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import { allow, know, type Selectors } from '../../lookup/need.ts'
import { type ListQuery, listPage } from '../../list/page.ts'
import { resourceView } from '../../lookup/views.ts'
import { addCertificate, deleteCertificate } from './certificates.ts'

async function needSilo(
  cx: Cx,
  at: Selectors,
  action: 'list_children' | 'create_child' | 'modify',
): Promise<Row<'silo'>> {
  const silo = await know(cx, 'silo', { silo: at.silo })
  allow(cx, silo, action, { as: 'certificate' })
  return silo.row
}

export async function listSiloCertificates(cx: Cx, at: Selectors, query: ListQuery) {
  const silo = await needSilo(cx, at, 'list_children')
  const where = { silo_id: silo.id }
  return listPage(
    cx,
    'certificate',
    query,
    () => ({ where }),
    (row) => siloCertificateView(cx, silo, row),
  )
}

export async function createSiloCertificate(
  cx: Cx,
  at: Selectors,
  body: CertificateCreate,
): Promise<SiloCertificate> {
  const silo = await needSilo(cx, at, 'create_child')
  return siloCertificateView(cx, silo, await addCertificate(cx, silo, body))
}

export async function deleteSiloCertificate(cx: Cx, at: Selectors): Promise<void> {
  await needSilo(cx, at, 'modify')
  await deleteCertificate(cx, at)
}

const siloCertificateView = (cx: Cx, silo: Row<'silo'>, row: Row<'certificate'>): SiloCertificate =>
  resourceView(row, { certificate: describe(cx, silo, row.cert) })

/** Re-reads a stored chain; it is served while all its certificates are valid. */
function describe(cx: Cx, { name }: Row<'silo'>, pem: string): CertificateDescription | null {
  const { certificates, dnsZone } = cx.services
  const chain = certificates?.readChain(pem)
  const [leaf] = chain ?? []
  if (!chain || !leaf) return null
  const span = spanOf(chain)
  return {
    subject: leaf.subject,
    issuer: leaf.issuer,
    dns_names: [...leaf.hosts],
    time_valid_from: span.from.toISOString(),
    time_expires: span.until.toISOString(),
    life: certificateLife(span, cx.now()),
    key: leaf.key,
    fingerprint: leaf.fingerprint,
    is_for_silo: leaf.isFor(siloDnsName(name, dnsZone)),
  }
}
