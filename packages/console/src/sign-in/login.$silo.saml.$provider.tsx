import { SamlLink } from '#/features/sign-in/SignInMethods.tsx'
import { ErrorNote } from '#/ui/feedback/Note.tsx'
import { type Page, returnAt } from './page.ts'
import { SignInFrame, SiloLine } from './SignInFrame.tsx'

export const samlLogin: Page = (context) => {
  const { silo = '', provider = '' } = context.params
  // The status of the server's last refusal (`refusalPage` of the control plane).
  const refused = context.search.get('refused')
  return (
    <SignInFrame context={context}>
      <SiloLine silo={silo} context={context} />
      {refused !== null && (
        <ErrorNote title="Could not sign in" errors={[refusalText(refused)]} className="mb-4" />
      )}
      <SamlLink silo={silo} provider={provider} returnTo={returnAt(context)} kind="primary" />
    </SignInFrame>
  )
}

/** Does not say what was wrong with the provider's response, which is in the server's log. */
const refusalText = (status: string): string =>
  status === '429'
    ? 'Too many attempts. Wait a moment, then try again.'
    : 'Try again. If it keeps failing, the identity provider may not be set up correctly. Contact your administrator.'
