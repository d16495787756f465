/** What somebody can prove who they are with, beside the password. */
export const factorKinds = ['passkey', 'totp'] as const
export type FactorKind = (typeof factorKinds)[number]

/** What can be asked for after the password: a recovery code stands in for a factor that is lost. */
export const secondStepKinds = ['passkey', 'totp', 'recovery_code'] as const
export type SecondStepKind = (typeof secondStepKinds)[number]

export const secondFactorRules = ['optional', 'required'] as const
export type SecondFactorRule = (typeof secondFactorRules)[number]

export const passkeysMax = 20
export const passkeyNameMaxLength = 64
export const recoveryCodeCount = 10

/** Digits of a code from an authenticator app, and the seconds for which it shows one (RFC 6238). */
export const totpDigits = 6
export const totpStepSeconds = 30

/** Seconds for which a sign-in waits for its second step. */
export const pendingSignInSeconds = 600
/** Seconds after a sign-in or a confirmation for which factors can be changed without another one. */
export const confirmedSeconds = 600

/** COSE algorithms of passkeys: EdDSA, ES256, RS256. All authenticators have one of them. */
export const passkeyAlgorithms = [-8, -7, -257] as const

export function passkeyNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'Name is required'
  if (name.length > passkeyNameMaxLength) return `Must be ${passkeyNameMaxLength} characters or less`
  return /\p{Cc}/u.test(name) ? 'Can only contain visible characters' : undefined
}

/** The digits or letters of a typed code: blanks, dashes and case are how somebody writes. */
export const codeOf = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toUpperCase()

/** WebAuthn names a relying party by its domain, so a page at an IP address can have no passkeys. */
export const isIpHost = (hostname: string): boolean =>
  hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname)
