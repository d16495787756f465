import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageLink } from '#/features/common/PageLink.tsx'
import { StatePlate } from '#/ui/StatePlate.tsx'
import { logLink } from './links.ts'
import { type AuditRecord, type AuditScope, isPlainLog } from './queries.ts'

/** Opens a record beside the filtered list. A plain log has no details to show. */
export function RecordLink({ scope, id, children }: { scope: AuditScope; id: string; children: ReactNode }) {
  const search = useSearch({ strict: false })
  if (isPlainLog()) return <span className="font-medium text-strong">{children}</span>
  return (
    <PageLink {...logLink(scope, { ...search, record: id })} over className="name">
      {children}
    </PageLink>
  )
}

export function ActorName({ record: { actor, actorName, actorSiloName } }: { record: AuditRecord }) {
  if (actorName !== null)
    return (
      <>
        <span className="block truncate font-medium text-strong">{actorName}</span>
        <span className="block truncate text-sm text-muted">{actorSiloName}</span>
      </>
    )
  if (actor.kind === 'silo_user') return <span className="text-muted">An operator</span>
  return <span className="text-muted">Not signed in</span>
}

export function ResultPlate({ result }: { result: AuditRecord['result'] }) {
  if (result.kind === 'unknown') return <StatePlate family="idle">Unknown</StatePlate>
  const isError = result.kind === 'error'
  return (
    <StatePlate family={isError ? 'fail' : 'ok'}>
      {isError ? 'Error' : 'Success'} {result.httpStatusCode}
    </StatePlate>
  )
}
