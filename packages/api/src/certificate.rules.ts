/** What a silo's certificate may be for. */
export const certificateServices = ['external_api'] as const

/** Characters of PEM: a chain of half a dozen certificates, and an RSA key of 8192 bits, fit several times. */
export const certificateLimits = { chain: 32_768, key: 16_384, ofOneSilo: 8 } as const
