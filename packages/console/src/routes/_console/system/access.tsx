import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { usePolling } from '#/data/live.ts'
import { useWhyNot } from '#/data/permissions.ts'
import { AccessPage } from '#/features/access/AccessPage.tsx'
import { accessColumns } from '#/features/access/columns.tsx'
import { FleetMappings } from '#/features/system/access/FleetMappings.tsx'
import { FleetUsers } from '#/features/system/access/FleetUsers.tsx'
import { namesAcross } from '#/features/access/rows.ts'
import { fleetOwner } from '#/features/access/policy-owner.ts'
import {
  allGroups,
  allUsers,
  fleetAccess,
  fleetPolicy,
  fleetUsers,
  policyPollMs,
} from '#/features/access/queries.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { pageSearch } from '#/kit/list/use-list-page.ts'
import { buttonClass } from '#/ui/Button.tsx'

export const Route = createFileRoute('/_console/system/access')({
  validateSearch: pageSearch,
  loader: ({ context, location }) => {
    // Third-party servers provide neither the names nor the users.
    context.begin(fleetAccess, fleetUsers.at(pageSearch(location.search).page))
    return context.prefetch(fleetPolicy, allUsers, allGroups)
  },
  staticData: { crumb: { label: 'Fleet Access', to: '/system/access' } },
  component: FleetAccess,
})

const columns = accessColumns('Fleet role')

function FleetAccess() {
  const { siloName } = useCurrentUser()
  const refetchInterval = usePolling(policyPollMs)
  const { data: policy } = useSuspenseQuery({ ...fleetPolicy, refetchInterval })
  const { data: access } = useQuery({ ...fleetAccess, refetchInterval })
  const policies = useMemo(() => [{ level: 'fleet', assignments: policy.roleAssignments } as const], [policy])
  const otherNames = useMemo(() => namesAcross(access?.assignments ?? [], siloName), [access, siloName])
  return (
    <AccessPage
      title="Fleet Access"
      docs={
        <DocsPopover topic="access" page="access#roles">
          A fleet role applies to the system area. It does not apply to the resources in silos.
        </DocsPopover>
      }
      owner={fleetOwner}
      policies={policies}
      columns={columns}
      emptyLabel="Add user or group"
      whyNotAllowed={useWhyNot({ action: 'modify', object: 'fleet' })}
      otherNames={otherNames}
    >
      {access && (
        <div className="mt-5.5 space-y-5.5">
          <FleetMappings mappings={access.mappings} />
          <FleetUsers />
        </div>
      )}
      <BuiltInUsersLink />
    </AccessPage>
  )
}

/** Links to the users that act for the system itself. */
const BuiltInUsersLink = () => (
  <p className="mt-4">
    <PageLink to="/system/built-in-users" className={buttonClass()}>
      Built-in users
    </PageLink>
  </p>
)
