import { SamlLink } from '#/features/sign-in/SamlLink.tsx'
import { ErrorNote } from '#/ui/Note.tsx'
import { type Page, returnAt } from './place.ts'
import { SignInFrame } from './SignInFrame.tsx'
import { SiloLine } from './SiloLine.tsx'

export const samlLogin: Page = (place) => {
  const { silo = '', provider = '' } = place.params
  // The status of the server's last refusal (`refusalPage` of the control plane).
  const refused = place.search.get('refused')
  return (
    <SignInFrame place={place}>
      <SiloLine silo={silo} place={place} />
      {refused !== null && (
        <ErrorNote title="Could not sign in" errors={[refusalText(refused)]} className="mb-4" />
      )}
      <SamlLink silo={silo} provider={provider} returnTo={returnAt(place)} kind="primary" />
    </SignInFrame>
  )
}

/** Does not say what was wrong with the provider's response, which is in the server's log. */
const refusalText = (status: string): string =>
  status === '429'
    ? 'Too many attempts. Wait a moment, then try again.'
    : 'Try again. If it keeps failing, the identity provider may not be set up correctly. Contact your administrator.'
