import { createFileRoute } from '@tanstack/react-router'
import { safeRedirect } from '../../data/redirect-uri.ts'
import { LocalForm } from '../../features/sign-in/LocalForm.tsx'
import { loginSearch } from '../../features/sign-in/login-search.ts'
import { ReturnNote } from '../../features/sign-in/ReturnNote.tsx'
import { SiloLine } from '../../features/sign-in/SiloLine.tsx'
import { useSignedIn } from '../../features/sign-in/use-signed-in.ts'
import { LoginFrame } from '../../shell/LoginFrame.tsx'

export const Route = createFileRoute('/login/$silo/local')({
  validateSearch: loginSearch,
  component: LocalLogin,
})

function LocalLogin() {
  const { silo } = Route.useParams()
  const search = Route.useSearch()
  const returnTo = safeRedirect(search.redirect_uri)
  const onSignedIn = useSignedIn(returnTo)
  return (
    <LoginFrame title="Sign in to Gantry" note={<ReturnNote to={returnTo} />}>
      <SiloLine silo={silo} search={search} />
      <LocalForm silo={silo} onSignedIn={onSignedIn} />
    </LoginFrame>
  )
}
