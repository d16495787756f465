import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { safeRedirect } from '../../data/redirect-uri.ts'
import { lastSilo } from '../../data/session.ts'
import { siloSearch } from '../../features/sign-in/login-search.ts'
import { loginMethods, loginSilos } from '../../features/sign-in/queries.ts'
import { ReturnNote } from '../../features/sign-in/ReturnNote.tsx'
import { SiloChooser } from '../../features/sign-in/SiloChooser.tsx'
import { SiloLine } from '../../features/sign-in/SiloLine.tsx'
import { useSignedIn } from '../../features/sign-in/use-signed-in.ts'
import { firstSilo } from '../../features/sign-in/ways-in.ts'
import { WaysIn } from '../../features/sign-in/WaysIn.tsx'
import { LoginFrame } from '../../shell/LoginFrame.tsx'

export const Route = createFileRoute('/login/')({
  validateSearch: siloSearch,
  loaderDeps: ({ search: { silo } }) => ({ silo }),
  // Whatever the server cannot tell, people can; so nothing here may fail.
  loader: async ({ context: { queryClient }, deps }) => {
    await queryClient.prefetchQuery(loginSilos)
    const listed = queryClient.getQueryData(loginSilos.queryKey)?.items ?? []
    const silo = firstSilo(deps.silo, lastSilo(), listed)
    if (silo) await queryClient.prefetchQuery(loginMethods(silo))
    return silo
  },
  component: Login,
})

/** Finds the silo, and lists what it can be signed in to with. */
function Login() {
  const silo = Route.useLoaderData()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const { data } = useQuery(loginSilos)
  const returnTo = safeRedirect(search.redirect_uri)
  const onSignedIn = useSignedIn(returnTo)
  return (
    <LoginFrame title="Sign in to Gantry" note={<ReturnNote to={returnTo} />}>
      {silo ? (
        <>
          <SiloLine silo={silo} search={search} />
          <WaysIn
            key={silo}
            silo={silo}
            onSignedIn={onSignedIn}
            returnTo={search.redirect_uri === undefined ? undefined : returnTo}
          />
        </>
      ) : (
        <>
          <p className="mt-0.5 mb-5 text-muted">Which silo do you belong to?</p>
          <SiloChooser
            listed={data?.items ?? []}
            initial={search.silo ?? ''}
            onChoose={(chosen) => void navigate({ search: { ...search, silo: chosen } })}
          />
        </>
      )}
    </LoginFrame>
  )
}
