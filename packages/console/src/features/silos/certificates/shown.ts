import { certificateLife } from '@gantry/api/certificate.rules'
import type { CertificateDescription } from '@gantry/api/silo-contents'
import type { Camel } from '@gantry/api/client/camel'
import { isFor, readCertificate, readChain } from './read-certificate.ts'

type Facts = Pick<Camel<CertificateDescription>, 'dnsNames' | 'life' | 'timeExpires' | 'isForSilo'>

/** A certificate as tables and warnings show it. The facts are null if nothing could read them. */
export interface ShownCertificate {
  id: string
  name: string
  certificate: Facts | null
}

/** Reads a chain like the server: the names of its first certificate, and its earliest expiry. */
export function factsOf(pem: string, silo: string, domain: string | undefined, now: Date): Facts | null {
  const leaf = readCertificate(pem)
  if (!leaf) return null
  const earliest = Math.min(...readChain(pem).map(({ notAfter }) => notAfter.getTime()))
  const timeExpires = new Date(earliest)
  return {
    dnsNames: leaf.names,
    timeExpires,
    life: certificateLife(timeExpires, now),
    isForSilo: isFor(leaf.names, silo, domain),
  }
}
