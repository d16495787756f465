/** How people come to be in a silo: from an identity provider when they sign in, or by an administrator's hand. */
export const identityModes = ['saml_jit', 'local_only'] as const
export type IdentityMode = (typeof identityModes)[number]

/** Longest name of a group, in characters: identity providers use whatever they like. */
export const groupNameMaxLength = 512

export function groupNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'group name requires at least one character'
  return name.length > groupNameMaxLength
    ? `group name may contain at most ${groupNameMaxLength} characters`
    : undefined
}

/** The host name under which a silo is reached, which its certificates have to be for. */
export const siloDnsName = (silo: string, zone: string): string => `${silo}.sys.${zone}`
