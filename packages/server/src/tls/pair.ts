import { constants } from 'node:crypto'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { type CertificateSpan, placeInChain, spanOf } from '@gantry/api/people/certificate.rules'
import { x509Certificates } from '../certificates.ts'
import { plainPem } from '../pem.ts'

/** A certificate chain, the server's own first, and its private key; both in PEM. */
export interface Pair {
  cert: string
  key: string
}

/** A pair as TLS reads it, from texts that were accepted. */
export const plainPair = ({ cert, key }: Pair): Pair => ({ cert: plainPem(cert), key: plainPem(key) })

/**
 * Supported by every browser of the last ten years: TLS 1.2 with forward secrecy and authenticated
 * encryption, and 1.3.
 */
export const tlsOptions = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
  // A client could repeat the costly part of a handshake on one connection.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} as const satisfies SecureContextOptions

/** Why a server can never use the pair, as a sentence with advice; undefined if it can while it is valid. */
export function pairProblem(pair: Pair): string | undefined {
  const chain = x509Certificates.readChain(pair.cert)
  const [own] = chain ?? []
  if (!chain || !own)
    return "The certificate cannot be read. Give a chain as PEM, the server's own certificate first."
  const fits = own.hasKey(pair.key)
  if (fits === undefined) return 'The private key cannot be read. Give it as PEM, without a passphrase.'
  if (!fits) {
    const place = chain.findIndex((one) => one.hasKey(pair.key))
    return place > 0
      ? `The chain is in the wrong order: the private key belongs to the ${placeInChain(place)}. Put that one first.`
      : 'The private key does not belong to the certificate. Give the key of the first certificate.'
  }
  try {
    createSecureContext({ ...tlsOptions, ...pair })
    return undefined
  } catch (error) {
    return `TLS cannot use the certificate (${(error as Error).message}). Use an RSA or EC key of a usual size.`
  }
}

/** Why a chain without a `pairProblem` is not valid now, as a sentence with advice. */
export function validityProblem(pair: Pair, now: Date): string | undefined {
  const { from, until } = pairSpan(pair)
  if (until <= now)
    return `The certificate expired on ${dayOf(until)}. Renew it, and every certificate of its chain.`
  if (from > now)
    return `The certificate is not valid before ${dayOf(from)}. Use it from then on, and check the clock of this host.`
  return undefined
}

/** The day of an expiry or a beginning as written in messages. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

const chainOf = ({ cert }: Pair) => x509Certificates.readChain(cert) ?? []

/** When a chain is valid; requires one without a `pairProblem`. */
export const pairSpan = (pair: Pair): CertificateSpan => spanOf(chainOf(pair))

/** The kind of the key of a chain's first certificate. */
export const keyOf = (pair: Pair): string => chainOf(pair)[0]?.key ?? ''
