import { certificateLife, spanOf } from '@gantry/api/people/certificate.rules'
import type { CertificateDescription } from '@gantry/api/people/silo-contents'
import type { Camel } from '@gantry/api/client/camel'
import { isFor, readCertificate, readChain } from './read-certificate.ts'

type Facts = Pick<
  Camel<CertificateDescription>,
  'dnsNames' | 'life' | 'timeValidFrom' | 'timeExpires' | 'key' | 'isForSilo'
>

/** A certificate as tables and warnings show it. The facts are null if nothing could read them. */
export interface ShownCertificate {
  id: string
  name: string
  certificate: Facts | null
}

/** Reads a chain like the server: names and key of its first certificate, and when all are valid. */
export function factsOf(pem: string, silo: string, domain: string | undefined, now: Date): Facts | null {
  const leaf = readCertificate(pem)
  if (!leaf) return null
  const span = spanOf(readChain(pem))
  return {
    dnsNames: leaf.names,
    timeValidFrom: span.from,
    timeExpires: span.until,
    life: certificateLife(span, now),
    key: leaf.key,
    isForSilo: isFor(leaf.names, silo, domain),
  }
}
