import { constants } from 'node:crypto'
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls'
import { x509Certificates } from '../certificates.ts'

/** A certificate chain, the server's own first, and its private key; both in PEM. */
export interface Pair {
  cert: string
  key: string
}

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

export const contextOf = (pair: Pair): SecureContext => createSecureContext({ ...tlsOptions, ...pair })

/** Why a server cannot use the pair, as a sentence with advice; undefined if it can. */
export function pairProblem(pair: Pair, now: Date): string | undefined {
  const chain = x509Certificates.readChain(pair.cert)
  const [own] = chain ?? []
  if (!chain || !own)
    return "The certificate cannot be read. Give a chain as PEM, the server's own certificate first."
  const expired = chain.find(({ notAfter }) => notAfter <= now)
  if (expired)
    return `The certificate expired on ${dayOf(expired.notAfter)}. Renew it, and every certificate of its chain.`
  const fits = own.hasKey(pair.key)
  if (fits === undefined) return 'The private key cannot be read. Give it as PEM, without a passphrase.'
  if (!fits)
    return 'The private key does not belong to the certificate. Give the key of the first certificate.'
  try {
    contextOf(pair)
    return undefined
  } catch (error) {
    return `TLS cannot use the certificate (${(error as Error).message}). Use an RSA or EC key of a usual size.`
  }
}

/** The expiry day as written in messages. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

/** When the first certificate of a chain expires; requires a chain without a `pairProblem`. */
export const endOf = ({ cert }: Pair): Date =>
  new Date(Math.min(...(x509Certificates.readChain(cert) ?? []).map(({ notAfter }) => notAfter.getTime())))
