import type { Failure } from '#/data/failure.ts'
import { ErrorNote, Note } from '#/ui/feedback/Note.tsx'
import { failureText } from '../feedback/failure-text.ts'
import { refusalLinks } from '../feedback/refusal-links.tsx'
import { IdentityProviderNotice } from '../page/SectionError.tsx'

/** The server's refusals, above the first field. */
export function FailureNote({ failures }: { failures: readonly Failure[] }) {
  if (failures.length === 0) return null
  const requestId = failures.find((failure) => failure.requestId)?.requestId
  return (
    <div className="max-w-form space-y-2">
      <ErrorNote
        errors={failures.map(failureText)}
        {...(requestId && { requestId })}
        action={refusalLinks(failures)}
      />
      {failures.some(({ statusCode }) => statusCode === 403) && <IdentityProviderNotice />}
    </div>
  )
}

/** Why a form cannot be submitted, above its fields, so that the user sees it before filling them in. */
export function WhyNotNote({ reason }: { reason: string | undefined }) {
  if (!reason) return null
  return (
    <Note kind="busy" className="max-w-form" title="You cannot submit this form">
      <p>{/[.!?]$/.test(reason) ? reason : `${reason}.`}</p>
    </Note>
  )
}
