import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import { safeRedirect } from '../../data/redirect-uri.ts'
import { LocalForm } from '../../features/sign-in/LocalForm.tsx'
import { loginSearch } from '../../features/sign-in/login-search.ts'
import { ReturnNote } from '../../features/sign-in/ReturnNote.tsx'
import { LoginFrame } from '../../shell/LoginFrame.tsx'
import { toast } from '../../ui/toast.ts'

export const Route = createFileRoute('/login/$silo/local')({
  validateSearch: loginSearch,
  component: LocalLogin,
})

function LocalLogin() {
  const { silo } = Route.useParams()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const queryClient = useQueryClient()
  const returnTo = safeRedirect(search.redirect_uri)
  return (
    <LoginFrame title="Sign in to Gantry" note={<ReturnNote to={returnTo} />}>
      <p className="mt-0.5 mb-5 text-muted">
        Silo <strong>{silo}</strong> ·{' '}
        <Link to="/login" search={search} className="link">
          use another silo
        </Link>
      </p>
      <LocalForm
        silo={silo}
        onSignedIn={() => {
          // Answers given to whoever was here before are not for this person.
          queryClient.clear()
          toast.success('Signed in')
          void navigate({ href: returnTo, replace: true })
        }}
      />
    </LoginFrame>
  )
}
