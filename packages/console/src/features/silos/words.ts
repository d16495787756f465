import type { IdentityMode } from '@gantry/api/silo.rules'

/** Short forms for tags; the forms spell them out. */
export const identityModeTags: Record<IdentityMode, string> = {
  saml_jit: 'saml jit',
  local_only: 'local only',
}

export const identityModeOptions = [
  { value: 'saml_jit', label: 'SAML' },
  { value: 'local_only', label: 'Local only' },
] as const satisfies readonly { value: IdentityMode; label: string }[]
