import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { opQuery } from '#/data/queries.ts'
import { ExternalLink } from '#/ui/ExternalLink.tsx'
import { Note } from '#/ui/Note.tsx'

/**
 * Beside every refusal for want of a role: someone in no group and without a role was let in by an identity provider that
 * tells nothing about them (specification, section 6).
 */
export function IdentityProviderNotice({ className }: { className?: string }) {
  const { data: me } = useQuery(opQuery(op.currentUserView, {}))
  const { data: groups } = useQuery(opQuery(op.currentUserGroups, {}))
  const policy = useQuery(opQuery(op.policyView, {}))
  if (!me || !groups || policy.isPending || groups.items.length > 0) return null
  // The policy itself may be out of reach, which says as much as an empty one.
  if (policy.data?.roleAssignments.some(({ identityId }) => identityId === me.id)) return null
  return (
    <Note kind="busy" {...(className && { className })}>
      You are not in any groups and have no role on the silo. This usually means the identity provider is not
      set up correctly. <ExternalLink href="/docs/identity-providers.md">Identity providers</ExternalLink>
    </Note>
  )
}
