import type { Failure } from '#/data/failure.ts'
import { Button } from '#/ui/Button.tsx'
import { ErrorNote } from '#/ui/Note.tsx'
import { failureText } from './failure-text.ts'
import { IdentityProviderNotice } from './IdentityProviderNotice.tsx'

/** Replaces a part of a page that failed to load, with a retry button. */
export function SectionError({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  return (
    <div className="mb-4 space-y-2">
      <ErrorNote
        errors={[failureText(failure)]}
        {...(failure.requestId && { requestId: failure.requestId })}
        action={<Button onClick={onRetry}>Retry</Button>}
      />
      {failure.statusCode === 403 && <IdentityProviderNotice />}
    </div>
  )
}
