/** How people come to be in a silo: from an identity provider when they sign in, or by an administrator's hand. */
export const identityModes = ['saml_jit', 'local_only'] as const
export type IdentityMode = (typeof identityModes)[number]

/** Longest name of a user or group that an identity provider may give, in characters; they use whatever they like. */
export const externalIdMaxLength = 512

export const groupNameTooLong = `group name may contain at most ${externalIdMaxLength} characters`

export function groupNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'group name requires at least one character'
  return name.length > externalIdMaxLength ? groupNameTooLong : undefined
}

/** The host name under which a silo is reached, which its certificates have to be for. */
export const siloDnsName = (silo: string, zone: string): string => `${silo}.sys.${zone}`

/** Whether it is the host name of some silo, there or not. */
export function isSiloDnsName(host: string, zone: string): boolean {
  const suffix = siloDnsName('', zone)
  const silo = host.endsWith(suffix) ? host.slice(0, -suffix.length) : ''
  return silo !== '' && !silo.includes('.')
}
