import type { Failure } from '#/data/failure.ts'
import { ErrorNote } from '#/ui/Note.tsx'
import { failureText } from '../failure-text.ts'
import { IdentityProviderNotice } from '../IdentityProviderNotice.tsx'

/** The server's refusals, above the first field. */
export function FailureNote({ failures }: { failures: readonly Failure[] }) {
  if (failures.length === 0) return null
  const requestId = failures.find((failure) => failure.requestId)?.requestId
  return (
    <div className="max-w-form space-y-2">
      <ErrorNote errors={failures.map(failureText)} {...(requestId && { requestId })} />
      {failures.some(({ statusCode }) => statusCode === 403) && <IdentityProviderNotice />}
    </div>
  )
}
