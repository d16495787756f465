import { z } from 'zod'
import { certificateLimits, certificateServices } from './certificate.rules.ts'
import { del, family, get, post } from '../op.ts'
import {
  identityCreate,
  named,
  NameOrId,
  NameOrIdPaging,
  nameOrIdSorts,
  pageOf,
  text,
  withIdentity,
} from '../schema.ts'

const Service = named('ServiceUsingCertificate', z.enum(certificateServices))

/** The private key is write-only. */
export const Certificate = named('Certificate', withIdentity({ service: Service, cert: z.string() }))
export type Certificate = z.infer<typeof Certificate>
export const CertificateCreate = named(
  'CertificateCreate',
  z.object({
    ...identityCreate,
    /** The chain in PEM, the silo's own certificate first. */
    cert: text(certificateLimits.chain),
    /** The private key of the first certificate, in PEM. */
    key: text(certificateLimits.key),
    service: Service,
  }),
)
export type CertificateCreate = z.infer<typeof CertificateCreate>

const path = z.object({ certificate: NameOrId })

export const certificateOps = family('silos', ['certificate'], {
  certificateList: get('/v1/certificates', {
    summary: 'List TLS certificates of the silo',
    query: NameOrIdPaging,
    sorts: nameOrIdSorts,
    returns: pageOf('Certificate', Certificate),
  }),
  certificateCreate: post('/v1/certificates', {
    summary: 'Add a TLS certificate to the silo',
    body: CertificateCreate,
    returns: Certificate,
  }),
  certificateView: get('/v1/certificates/{certificate}', {
    summary: 'Fetch a TLS certificate',
    path,
    returns: Certificate,
  }),
  certificateDelete: del('/v1/certificates/{certificate}', { summary: 'Delete a TLS certificate', path }),
})
