import { currentUserView } from '@gantry/api/client/operations/current-user.reads.gen'
import { useEffect } from 'react'
import { client } from '#/data/client.ts'
import { failureOf } from '#/data/failure.ts'
import { homePath, loginPath } from '#/data/redirect-uri.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { announceSignIn } from '#/features/sign-in/sign-in-elsewhere.ts'
import { LoginFrame } from '#/shell/LoginFrame.tsx'
import { ErrorNote } from '#/ui/feedback/Note.tsx'
import { GoLink } from './GoLink.tsx'
import type { Page, PageContext } from './page.ts'

/** Ends a sign-in in another tab, whose original page has kept its state. */
export const loginDone: Page = async (context) => {
  const result = await client(currentUserView, {})
  if (result.type === 'success') return <SignedIn context={context} />
  const failure = await failureOf(currentUserView, result)
  if (failure.statusCode === 401) {
    context.replace(loginPath(homePath))
    return null
  }
  return (
    <LoginFrame title="Could not sign in">
      <ErrorNote title="Could not sign in" errors={[failureText(failure)]} className="mt-4" />
    </LoginFrame>
  )
}

function SignedIn({ context }: { context: PageContext }) {
  useEffect(announceSignIn, [])
  return (
    <LoginFrame title="Signed in">
      <p className="mt-0.5 text-muted">
        Close this tab and return to the previous one, or{' '}
        <GoLink to={homePath} context={context}>
          continue here
        </GoLink>
        .
      </p>
    </LoginFrame>
  )
}
