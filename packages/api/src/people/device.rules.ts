/** Length of a device code in letters (specification, section 9), with a dash after the third. */
export const userCodeLength = 8
export const userCodeDashAfter = 3

/** Letters of generated codes: no vowels, so that no code is a word. */
export const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ'

/** Normalises a typed code: case, dashes and blanks are ignored. */
export const userCodeOf = (typed: string): string => typed.toUpperCase().replaceAll(/[\s-]/g, '')

export const isUserCode = (typed: string): boolean =>
  new RegExp(`^[A-Z]{${userCodeLength}}$`).test(userCodeOf(typed))

/** The display form of a code. */
export function shownUserCode(code: string): string {
  const letters = userCodeOf(code)
  return `${letters.slice(0, userCodeDashAfter)}-${letters.slice(userCodeDashAfter)}`
}

/** Seconds until a device request expires. */
export const deviceRequestSeconds = 300

/** Maximum requested lifetime of a token, in seconds: the integer width of clients. */
export const tokenSecondsMax = 4_294_967_295

/** Default lifetime of a token, in seconds, which is also the maximum unless a silo sets one. */
export const tokenSecondsDefault = 30 * 24 * 3600

/** The OAuth grant type of a device (RFC 8628, 3.4). */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'
