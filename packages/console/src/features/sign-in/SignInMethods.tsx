import { classes } from '#/ui/classes.ts'
import { Note } from '#/ui/Note.tsx'
import { lastProvider } from './last-provider.ts'
import { LocalSignIn } from './LocalSignIn.tsx'
import { SamlLink } from './SamlLink.tsx'
import { type LoginMethods, providersOf } from './ways-in.ts'

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
