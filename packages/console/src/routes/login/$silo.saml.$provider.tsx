import { createFileRoute } from '@tanstack/react-router'
import { safeRedirect } from '../../data/redirect-uri.ts'
import { loginSearch } from '../../features/sign-in/login-search.ts'
import { ReturnNote } from '../../features/sign-in/ReturnNote.tsx'
import { SamlLink } from '../../features/sign-in/SamlLink.tsx'
import { SiloLine } from '../../features/sign-in/SiloLine.tsx'
import { LoginFrame } from '../../shell/LoginFrame.tsx'

export const Route = createFileRoute('/login/$silo/saml/$provider')({
  validateSearch: loginSearch,
  component: SamlLogin,
})

function SamlLogin() {
  const { silo, provider } = Route.useParams()
  const search = Route.useSearch()
  const returnTo = safeRedirect(search.redirect_uri)
  return (
    <LoginFrame title="Sign in to Gantry" note={<ReturnNote to={returnTo} />}>
      <SiloLine silo={silo} search={search} />
      <SamlLink
        silo={silo}
        provider={provider}
        returnTo={search.redirect_uri === undefined ? undefined : returnTo}
        kind="primary"
      />
    </LoginFrame>
  )
}
