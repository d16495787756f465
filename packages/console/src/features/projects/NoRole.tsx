import { useCurrentUser } from '#/data/current-user.ts'
import { IdentityProviderNotice } from '#/features/common/IdentityProviderNotice.tsx'
import { EmptyState } from '#/ui/EmptyState.tsx'

/** Shown instead of the projects to users who may not list them: what is missing, and who can grant it. */
export function NoRole() {
  const { siloName } = useCurrentUser()
  return (
    <>
      <IdentityProviderNotice className="mb-4" />
      <EmptyState title="No projects to show">
        You have no role on silo {siloName}, which its list of projects requires. Ask an administrator of the
        silo for a role, or for the link to a project on which you have one.
      </EmptyState>
    </>
  )
}
