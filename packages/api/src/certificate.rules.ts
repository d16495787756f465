/** The services of a silo that a certificate can be for. */
export const certificateServices = ['external_api'] as const

/** Days before its expiry from which a certificate counts as expiring. */
const certificateWarningDays = 30

export const certificateLives = ['valid', 'expiring', 'expired'] as const
type CertificateLife = (typeof certificateLives)[number]

/** How close a certificate is to its expiry at a given time. */
export function certificateLife(timeExpires: Date, now: Date): CertificateLife {
  const daysLeft = (timeExpires.getTime() - now.getTime()) / 86_400_000
  if (daysLeft <= 0) return 'expired'
  return daysLeft <= certificateWarningDays ? 'expiring' : 'valid'
}

/**
 * Characters of PEM: several times the size of a chain of six certificates, and of an RSA key of 8192 bits.
 */
export const certificateLimits = { chain: 32_768, key: 16_384, ofOneSilo: 8 } as const
