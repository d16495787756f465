import { createFileRoute } from '@tanstack/react-router'
import { safeRedirect } from '../../data/redirect-uri.ts'
import { samlSearch } from '../../features/sign-in/login-search.ts'
import { ReturnNote } from '../../features/sign-in/ReturnNote.tsx'
import { SamlLink } from '../../features/sign-in/SamlLink.tsx'
import { SiloLine } from '../../features/sign-in/SiloLine.tsx'
import { LoginFrame } from '../../shell/LoginFrame.tsx'
import { ErrorNote } from '../../ui/Note.tsx'

export const Route = createFileRoute('/login/$silo/saml/$provider')({
  validateSearch: samlSearch,
  component: SamlLogin,
})

function SamlLogin() {
  const { silo, provider } = Route.useParams()
  const search = Route.useSearch()
  const returnTo = safeRedirect(search.redirect_uri)
  return (
    <LoginFrame title="Sign in to Gantry" note={<ReturnNote to={returnTo} />}>
      <SiloLine silo={silo} search={search} />
      {search.refused !== undefined && (
        <ErrorNote title="Could not sign in" errors={[refusalText(search.refused)]} className="mb-4" />
      )}
      <SamlLink
        silo={silo}
        provider={provider}
        returnTo={search.redirect_uri === undefined ? undefined : returnTo}
        kind="primary"
      />
    </LoginFrame>
  )
}

/** No hint what was wrong with what the provider said: the server's log has it. */
const refusalText = (status: number): string =>
  status === 429
    ? 'There were too many attempts. Wait a moment, then try again.'
    : 'Try again. If it keeps failing, the identity provider may not be set up correctly; tell your administrator.'
