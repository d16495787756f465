import { z } from 'zod'
import type { CertificateFacts, Certificates } from '../environment.ts'

const FakeChain = z.array(
  z.object({
    notBefore: z.coerce.date().default(new Date(0)),
    notAfter: z.coerce.date(),
    hosts: z.array(z.string()),
    purposes: z.array(z.string()).optional(),
    kind: z.string().default('RSA'),
    key: z.string(),
  }),
)

/** Certificates whose facts are JSON instead of PEM; their keys are texts that begin with `key`. */
export const jsonCertificates: Certificates = {
  readChain(text) {
    try {
      return FakeChain.parse(JSON.parse(text)).map(factsOf)
    } catch {
      return undefined
    }
  },
}

const factsOf = ({ hosts, key, kind, ...facts }: z.infer<typeof FakeChain>[number]): CertificateFacts => ({
  ...facts,
  purposes: facts.purposes,
  subject: `CN=${hosts[0] ?? ''}`,
  issuer: 'CN=a test',
  hosts,
  key: kind,
  fingerprint: key,
  isFor: (host) => hosts.includes(host),
  hasKey: (given) => (given.startsWith('key') ? given === key : undefined),
})

/** A certificate valid for a host, unless overridden. */
export const certificateFor = (host: string, more: object = {}) => ({
  cert: JSON.stringify([{ notAfter: '2999-01-01T00:00:00Z', hosts: [host], key: 'key-1', ...more }]),
  key: 'key-1',
  service: 'external_api' as const,
})
