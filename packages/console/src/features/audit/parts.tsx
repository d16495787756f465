import { unnamedActors } from '@gantry/api/system/audit.rules'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { StatePlate } from '#/ui/data/StatePlate.tsx'
import { logLink } from './links.ts'
import { type AuditRecord, type AuditScope, isPlainLog } from './queries.ts'
import { actorText } from './words.ts'

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

/** The caller, or for a sign-in the account that was tried. */
export function ActorName({ record }: { record: AuditRecord }) {
  const { actor, actorName, actorSiloName, triedName, result } = record
  if (actorName !== null) {
    const isRefused = actor.kind === 'unauthenticated' && result.kind === 'error'
    return <NameAndNote name={actorName} note={isRefused ? unnamedActors.unauthenticated : actorSiloName} />
  }
  if (triedName !== null) return <NameAndNote name={triedName} note="No such user" />
  return <span className="text-muted">{actorText(record)}</span>
}

const NameAndNote = ({ name, note }: { name: string; note: string | null }) => (
  <>
    <span className="block truncate font-medium text-strong">{name}</span>
    <span className="block truncate text-sm text-muted">{note}</span>
  </>
)

export function ResultPlate({ result }: { result: AuditRecord['result'] }) {
  if (result.kind === 'unknown') return <StatePlate family="idle">Unknown</StatePlate>
  const isError = result.kind === 'error'
  return (
    <StatePlate family={isError ? 'fail' : 'ok'}>
      {isError ? 'Error' : 'Success'} {result.httpStatusCode}
    </StatePlate>
  )
}
