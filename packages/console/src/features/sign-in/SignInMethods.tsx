import ExternalLink from 'lucide-react/icons/external-link'
import { buttonClass } from '#/ui/Button.tsx'
import { classes } from '#/ui/classes.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { LocalSignIn } from './LocalSignIn.tsx'
import { type LoginMethods, providersOf, samlPath } from './login-methods.ts'

interface Props {
  silo: string
  methods: LoginMethods
  onSignedIn: () => void
  /** Where an identity provider finally returns the browser to. */
  returnTo: string | undefined
  /** Opens identity providers in another tab, so that this page keeps its state. */
  inPlace?: boolean
}

/** The sign-in methods of a silo. */
export function SignInMethods({ silo, methods, onSignedIn, returnTo, inPlace = false }: Props) {
  const providers = providersOf(methods, lastProvider(silo))
  return (
    // The line reserved for a failure doubles as the card's padding if nothing follows it.
    <div className={classes('space-y-4', methods.local && providers.length === 0 && '-mb-5')}>
      {methods.local && <LocalSignIn silo={silo} hasPasskeys={methods.passkey} onSignedIn={onSignedIn} />}
      {providers.map((provider) => (
        <SamlLink
          key={provider}
          silo={silo}
          provider={provider}
          returnTo={returnTo}
          kind={methods.local ? 'default' : 'primary'}
          inNewTab={inPlace}
        />
      ))}
      {!methods.local && providers.length === 0 && (
        <Note kind="busy">
          This silo has no identity provider yet, so nobody can sign in. Contact its administrator.
        </Note>
      )}
    </div>
  )
}

interface SamlLinkProps {
  silo: string
  provider: string
  /** Where to return to; the server's default if absent. */
  returnTo?: string | undefined
  kind?: 'primary' | 'default'
  /** Keeps the current page open. */
  inNewTab?: boolean
}

/** Opens an identity provider through the server. A link, because the browser leaves the page. */
export function SamlLink({ silo, provider, returnTo, kind = 'default', inNewTab }: SamlLinkProps) {
  return (
    <a
      href={samlPath(silo, provider, returnTo)}
      onClick={() => rememberProvider(silo, provider)}
      className={buttonClass({ kind, size: 'lg', block: true })}
      {...(inNewTab && { target: '_blank', rel: 'noreferrer' })}
    >
      Sign in with {provider}
      {inNewTab && (
        <>
          <ExternalLink aria-hidden strokeWidth={1.75} className="size-4" />
          <span className="sr-only"> (opens in a new tab)</span>
        </>
      )}
    </a>
  )
}

const key = 'gantry-provider'

/** The identity provider last used in this browser to sign in to a silo. */
function lastProvider(silo: string): string | undefined {
  const [of, provider] = localStorage.getItem(key)?.split('/') ?? []
  return of === silo ? provider : undefined
}

const rememberProvider = (silo: string, provider: string): void =>
  localStorage.setItem(key, `${silo}/${provider}`)
