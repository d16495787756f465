import { z } from 'zod'
import { KiB } from '../base/bytes.rules.ts'
import { certificateLives } from './certificate.rules.ts'
import { CertificateCreate } from './certificate.ts'
import { del, family, get, post } from '../op.ts'
import { named, NameOrId, NameOrIdPaging, nameOrIdSorts, pageOf, Timestamp, withIdentity } from '../schema.ts'
import { VirtualResourceCounts } from './silo.ts'

/** A project as the operator sees it: its usage, but not its contents. */
export const SiloProject = named(
  'SiloProject',
  withIdentity({ provisioned: VirtualResourceCounts, instance_count: z.number().int() }),
)
export type SiloProject = z.infer<typeof SiloProject>

/** Facts of the first certificate in a chain. */
const CertificateDescription = named(
  'CertificateDescription',
  z.object({
    subject: z.string(),
    issuer: z.string(),
    /** Host names and wildcards, as in the certificate. */
    dns_names: z.array(z.string()),
    /** The latest beginning in the chain, before which browsers refuse it. */
    time_valid_from: Timestamp,
    /** The earliest expiry in the chain, after which browsers refuse it. */
    time_expires: Timestamp,
    /** `pending` before it is valid, `expiring` within 30 days of its expiry. */
    life: z.enum(certificateLives),
    /** The kind of its key: `RSA`, `EC P-256`, `Ed25519`; empty if unknown. Browsers use few kinds. */
    key: z.string(),
    /** SHA-256 in hexadecimal. */
    fingerprint: z.string(),
    /** Whether it covers the silo's host name. */
    is_for_silo: z.boolean(),
  }),
)
export type CertificateDescription = z.infer<typeof CertificateDescription>

export const SiloCertificate = named(
  'SiloCertificate',
  withIdentity({
    /** Null where this server cannot parse certificates, as in the preview. */
    certificate: CertificateDescription.nullable(),
  }),
)
export type SiloCertificate = z.infer<typeof SiloCertificate>

const path = z.object({ silo: NameOrId })

export const siloContentsOps = {
  ...family('extensions', ['project', 'utilization', 'instance'], {
    siloProjectList: get('/ext/v1/system/silos/{silo}/projects', {
      summary: 'List projects of a silo with their usage',
      path,
      query: NameOrIdPaging,
      sorts: nameOrIdSorts,
      returns: pageOf('SiloProject', SiloProject),
    }),
  }),
  ...family('extensions', ['certificate'], {
    siloCertificateList: get('/ext/v1/system/silos/{silo}/certificates', {
      summary: 'List TLS certificates of a silo with subject and expiry',
      path,
      query: NameOrIdPaging,
      sorts: nameOrIdSorts,
      returns: pageOf('SiloCertificate', SiloCertificate),
    }),
    siloCertificateCreate: post('/ext/v1/system/silos/{silo}/certificates', {
      summary: 'Add a TLS certificate to a silo',
      path,
      body: CertificateCreate,
      bodyMax: 128 * KiB,
      returns: SiloCertificate,
    }),
    siloCertificateDelete: del('/ext/v1/system/silos/{silo}/certificates/{certificate}', {
      summary: 'Delete a TLS certificate of a silo',
      path: path.extend({ certificate: NameOrId }),
    }),
  }),
}
