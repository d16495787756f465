/** A device's code is so many letters (specification, section 9), of which a dash follows the third. */
export const userCodeLength = 8
export const userCodeDashAfter = 3

/** Letters of codes that are given out: no vowels, so that no code is a word. */
export const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ'

/** The letters of a typed code: case, dashes and blanks are how somebody writes, not what the code is. */
export const userCodeOf = (typed: string): string => typed.toUpperCase().replaceAll(/[\s-]/g, '')

export const isUserCode = (typed: string): boolean =>
  new RegExp(`^[A-Z]{${userCodeLength}}$`).test(userCodeOf(typed))

/** As a device shows it and a person reads it. */
export function shownUserCode(code: string): string {
  const letters = userCodeOf(code)
  return `${letters.slice(0, userCodeDashAfter)}-${letters.slice(userCodeDashAfter)}`
}

/** Seconds for which a device waits to be confirmed. */
export const deviceRequestSeconds = 300

/** Longest that a token may be asked to last, in seconds: as many bits as clients keep them in. */
export const tokenSecondsMax = 4_294_967_295

/** How long a token lasts, in seconds, unless a shorter life is asked for; the longest where a silo sets none. */
export const tokenSecondsDefault = 30 * 24 * 3600

/** The kind of grant that a device asks for (RFC 8628, 3.4). */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'
