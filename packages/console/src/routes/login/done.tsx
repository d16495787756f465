import { createFileRoute, Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { currentUser } from '../../data/current-user.ts'
import { announceSignIn } from '../../features/sign-in/sign-in-news.ts'
import { LoginFrame } from '../../shell/LoginFrame.tsx'

/** Where a tab ends that was opened to sign in for another one, whose page stays as it was. */
export const Route = createFileRoute('/login/done')({
  loader: ({ context }) => context.prefetch(currentUser),
  component: SignedIn,
})

function SignedIn() {
  useEffect(announceSignIn, [])
  return (
    <LoginFrame title="Signed in">
      <p className="mt-0.5 text-muted">
        Close this tab and go on in the one where you were, or{' '}
        <Link to="/projects" className="link">
          go on here
        </Link>
        .
      </p>
    </LoginFrame>
  )
}
