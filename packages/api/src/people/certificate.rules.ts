/** The services of a silo that a certificate can be for. */
export const certificateServices = ['external_api'] as const

/** Days before its expiry from which a certificate counts as expiring. */
const certificateWarningDays = 30

/** `pending`: not valid yet. */
export const certificateLives = ['pending', 'valid', 'expiring', 'expired'] as const
export type CertificateLife = (typeof certificateLives)[number]

/** When every certificate of a chain is valid: from the latest beginning to the earliest end. */
export interface CertificateSpan {
  from: Date
  until: Date
}
export const spanOf = (chain: readonly { notBefore: Date; notAfter: Date }[]): CertificateSpan => ({
  from: new Date(Math.max(...chain.map(({ notBefore }) => notBefore.getTime()))),
  until: new Date(Math.min(...chain.map(({ notAfter }) => notAfter.getTime()))),
})

/** Whether a certificate is valid at a given time, and how close to its expiry. */
export function certificateLife({ from, until }: CertificateSpan, now: Date): CertificateLife {
  const daysLeft = (until.getTime() - now.getTime()) / 86_400_000
  if (daysLeft <= 0) return 'expired'
  if (from > now) return 'pending'
  return daysLeft <= certificateWarningDays ? 'expiring' : 'valid'
}

/** The keys that every current browser can use in a handshake, as people name them. */
const browserKeys: ReadonlySet<string> = new Set(['RSA', 'EC P-256', 'EC P-384'])
export const browserKeysInWords = 'RSA, EC P-256 or EC P-384'
export const canBrowsersUse = (key: string): boolean => browserKeys.has(key)

/**
 * Characters of PEM: several times the size of a chain of six certificates, and of an RSA key of 8192 bits.
 */
export const certificateLimits = { chain: 32_768, key: 16_384, ofOneSilo: 8 } as const

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']

/** Names a place in a chain: the second certificate. */
export const placeInChain = (index: number): string => `${ordinals[index] ?? `${index + 1}th`} certificate`
