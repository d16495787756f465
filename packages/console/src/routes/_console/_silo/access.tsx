import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { isAbsent } from '#/data/extensions.ts'
import { usePolling } from '#/data/live.ts'
import { useWhyNot } from '#/data/permissions.ts'
import { AccessPage } from '#/features/access/AccessPage.tsx'
import { accessColumns } from '#/features/access/columns.tsx'
import { siloOwner } from '#/features/access/policy-owner.ts'
import { allGroups, allUsers, policyPollMs, siloPolicy } from '#/features/access/queries.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { Button, buttonClass } from '#/ui/Button.tsx'

export const Route = createFileRoute('/_console/_silo/access')({
  loader: ({ context }) => context.prefetch(siloPolicy, allUsers, allGroups),
  staticData: { crumb: { label: 'Silo Access', to: '/access' } },
  component: SiloAccess,
})

const columns = accessColumns('Role')

function SiloAccess() {
  const { siloName, siloAdmin, fleetViewer } = useCurrentUser()
  const { data } = useSuspenseQuery({ ...siloPolicy, refetchInterval: usePolling(policyPollMs) })
  const policies = useMemo(() => [{ level: 'silo', assignments: data.roleAssignments } as const], [data])
  const whyNotAllowed = useWhyNot({ action: 'modify', object: 'silo' })
  return (
    <AccessPage
      title="Silo Access"
      docs={
        <DocsPopover topic="access" page="access#roles">
          A silo role applies to all projects in the silo. Users and groups can have roles; the strongest one
          is effective.
        </DocsPopover>
      }
      owner={siloOwner(siloName)}
      policies={policies}
      columns={columns}
      emptyLabel="Add user or group"
      whyNotAllowed={whyNotAllowed}
    >
      {!isAbsent({ name: 'siloAuditRecordList' }) && (
        <AuditLogLink whyNot={siloAdmin || fleetViewer ? undefined : whyNotAllowed} />
      )}
    </AccessPage>
  )
}

/** Links those to the audit log who may read it: they need not be allowed to change roles. */
const AuditLogLink = ({ whyNot }: { whyNot: string | undefined }) => (
  <p className="mt-4">
    {whyNot ? (
      <Button disabledReason={whyNot}>Audit log</Button>
    ) : (
      <PageLink to="/audit-log" className={buttonClass()}>
        Audit log
      </PageLink>
    )}
  </p>
)
