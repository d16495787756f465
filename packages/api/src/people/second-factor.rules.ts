import { isLonger } from '../base/text.rules.ts'

/** Second factors, besides the password. */
export const factorKinds = ['passkey', 'totp'] as const
export type FactorKind = (typeof factorKinds)[number]

/** Second factors of a sign-in; a recovery code replaces a lost one. */
export const secondStepKinds = ['passkey', 'totp', 'recovery_code'] as const
export type SecondStepKind = (typeof secondStepKinds)[number]

export const secondFactorRules = ['optional', 'required'] as const
export type SecondFactorRule = (typeof secondFactorRules)[number]

export const passkeysMax = 20
export const passkeyNameMaxLength = 64
export const recoveryCodeCount = 10

/** Digits of a code from an authenticator app, and the seconds each is shown (RFC 6238). */
export const totpDigits = 6
export const totpStepSeconds = 30

/** Seconds until a pending sign-in expires. */
export const pendingSignInSeconds = 600
/** Seconds after a sign-in or a confirmation in which factors can be changed without another one. */
export const confirmedSeconds = 600

/** COSE algorithms of passkeys: EdDSA, ES256, RS256. All authenticators support one of them. */
export const passkeyAlgorithms = [-8, -7, -257] as const

export function passkeyNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'Name is required'
  if (isLonger(name, passkeyNameMaxLength)) return `Must be ${passkeyNameMaxLength} characters or less`
  return /\p{Cc}/u.test(name) ? 'Can only contain visible characters' : undefined
}

/** Normalises a typed code: blanks, dashes and case are ignored. */
export const codeOf = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toUpperCase()

/** WebAuthn identifies a relying party by its domain, so a page at an IP address cannot use passkeys. */
export const isIpHost = (hostname: string): boolean =>
  hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname)
