// @chunk scim: of one tab, and of the settings of few silos.
import { useQuery } from '@tanstack/react-query'
import { useCurrentUser } from '#/data/current-user.ts'
import { siloView } from '../queries.ts'
import { ScimTokens } from './ScimTokens.tsx'

/** For administrators of a silo whose users are managed by SCIM. */
export function OwnScimTokens() {
  const { siloName } = useCurrentUser()
  const { data: silo } = useQuery(siloView(siloName))
  return silo?.identityMode === 'saml_scim' ? <ScimTokens silo={silo} /> : null
}
