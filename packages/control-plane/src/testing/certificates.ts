import { z } from 'zod'
import type { CertificateFacts, Certificates } from '../environment.ts'

const Told = z.array(
  z.object({
    notAfter: z.coerce.date(),
    hosts: z.array(z.string()),
    purposes: z.array(z.string()).optional(),
    key: z.string(),
  }),
)

/** Certificates that say in JSON what real ones say in PEM; their keys are texts that begin with `key`. */
export const jsonCertificates: Certificates = {
  readChain(text) {
    try {
      return Told.parse(JSON.parse(text)).map(factsOf)
    } catch {
      return undefined
    }
  },
}

const factsOf = ({ notAfter, hosts, purposes, key }: z.infer<typeof Told>[number]): CertificateFacts => ({
  notAfter,
  isFor: (host) => hosts.includes(host),
  purposes,
  hasKey: (given) => (given.startsWith('key') ? given === key : undefined),
})

/** One that is good for a host, unless told otherwise. */
export const certificateFor = (host: string, more: object = {}) => ({
  cert: JSON.stringify([{ notAfter: '2999-01-01T00:00:00Z', hosts: [host], key: 'key-1', ...more }]),
  key: 'key-1',
  service: 'external_api' as const,
})
