import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import type { Failure } from '#/data/failure.ts'
import { opQuery } from '#/data/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { ExternalLink } from '#/ui/ExternalLink.tsx'
import { passFocusTo, surroundings } from '#/ui/overlays/focus.ts'
import { ErrorNote, Note } from '#/ui/feedback/Note.tsx'
import { failureText } from '../feedback/failure-text.ts'

interface SectionErrorProps {
  /** The name of what could not be read, if the page does not make it clear. */
  title?: string
  failure: Failure
  onRetry: () => void
  /** A fault of the server gets the words of the error screen, as where one request fills the whole part. */
  hidesFault?: boolean
}

/** The words of the specification's error catalogue (section 8) for what no user can mend. */
export const otherErrors = {
  title: 'Something went wrong',
  text: 'Please try again. If the problem persists, contact your administrator.',
} as const

const passOn = passFocusTo(surroundings)

/** Replaces a part of a page that failed to load, with a retry button. */
export function SectionError({ title, failure, onRetry, hidesFault = false }: SectionErrorProps) {
  const isFault = hidesFault && failure.statusCode >= 500
  const heading = isFault ? otherErrors.title : title
  return (
    <div ref={passOn} className="mb-4 space-y-2">
      <ErrorNote
        {...(heading && { title: heading })}
        errors={[isFault ? otherErrors.text : failureText(failure)]}
        {...(failure.requestId && { requestId: failure.requestId })}
        action={<Button onClick={onRetry}>Retry</Button>}
      />
      {failure.statusCode === 403 && <IdentityProviderNotice />}
    </div>
  )
}

/**
 * Follows every refusal for a missing role: a user without groups and roles came from an identity provider that sends
 * no attributes about them (specification, section 6).
 */
export function IdentityProviderNotice({ className }: { className?: string }) {
  const { data: me } = useQuery(opQuery(op.currentUserView, {}))
  const { data: groups } = useQuery(opQuery(op.currentUserGroups, {}))
  const policy = useQuery(opQuery(op.policyView, {}))
  if (!me || !groups || policy.isPending || groups.items.length > 0) return null
  // An unreadable policy also means that the user has no role.
  if (policy.data?.roleAssignments.some(({ identityId }) => identityId === me.id)) return null
  return (
    <Note kind="busy" {...(className && { className })}>
      You are not in any groups and have no role on the silo. This usually means the identity provider is not
      set up correctly. <ExternalLink href="/docs/identity-providers">Identity providers</ExternalLink>
    </Note>
  )
}
