import { isLonger } from '../base/text.rules.ts'

/**
 * How a silo gets its users: from an identity provider at sign-in, created by an administrator, or from an identity
 * provider that manages them by SCIM.
 */
export const identityModes = ['saml_jit', 'local_only', 'saml_scim'] as const
export type IdentityMode = (typeof identityModes)[number]

/**
 * Maximum length of a user or group name from an identity provider, in characters; its syntax is arbitrary.
 */
export const externalIdMaxLength = 512

/** The password of a local user: a one-time password must be replaced at the first sign-in. */
export const passwordStates = ['set', 'one_time', 'none'] as const
export type PasswordState = (typeof passwordStates)[number]

export const groupNameTooLong = `group name may contain at most ${externalIdMaxLength} characters`

export function groupNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'group name requires at least one character'
  return isLonger(name, externalIdMaxLength) ? groupNameTooLong : undefined
}

/** The host name of a silo, which its certificates must cover. */
export const siloDnsName = (silo: string, zone: string): string => `${silo}.sys.${zone}`

/** Whether it is a possible silo host name, whether or not the silo exists. */
export function isSiloDnsName(host: string, zone: string): boolean {
  const suffix = siloDnsName('', zone)
  const silo = host.endsWith(suffix) ? host.slice(0, -suffix.length) : ''
  return silo !== '' && !silo.includes('.')
}
