import type { InputOf } from '@gantry/api/client/client'
import type { IdentityMode } from '@gantry/api/people/silo.rules'
import { type QuotaValues, quotaBody } from '../QuotaFields.tsx'

type SiloBody = InputOf<'siloCreate'>['body']
export type NewCertificate = SiloBody['tlsCertificates'][number]

export interface SiloValues extends QuotaValues {
  name: string
  description: string
  discoverable: boolean
  identityMode: IdentityMode
  adminGroupName: string
  /** Administrators of the silo administer the fleet. */
  adminMapped: boolean
  viewerMapped: boolean
  certificates: NewCertificate[]
}

export const emptySilo: SiloValues = {
  name: '',
  description: '',
  discoverable: true,
  cpus: 0,
  memory: 0,
  storage: 0,
  identityMode: 'saml_jit',
  adminGroupName: '',
  adminMapped: false,
  viewerMapped: false,
  certificates: [],
}

/** The request body. Only an identity provider has groups, and a blank name is omitted. */
export function siloBody(values: SiloValues): SiloBody {
  const { name, description, discoverable, identityMode, adminMapped, viewerMapped, certificates } = values
  const group = identityMode !== 'local_only' ? values.adminGroupName.trim() : ''
  return {
    name,
    description,
    discoverable,
    identityMode,
    ...(group && { adminGroupName: group }),
    quotas: quotaBody(values),
    mappedFleetRoles: {
      ...(adminMapped && { admin: ['admin' as const] }),
      ...(viewerMapped && { viewer: ['viewer' as const] }),
    },
    tlsCertificates: certificates,
  }
}
