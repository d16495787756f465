import { loginMethodView } from '@gantry/api/client/operations/extension-login.reads.gen'
import { ask } from '#/data/client.ts'
import { LocalSignIn } from '#/features/sign-in/LocalSignIn.tsx'
import { localOnly } from '#/features/sign-in/login-methods.ts'
import { type Page, signedIn } from './page.ts'
import { SignInFrame, SiloLine } from './SignInFrame.tsx'

export const localLogin: Page = async (context) => {
  const { silo = '' } = context.params
  const { passkey } = (await ask(loginMethodView, { path: { siloName: silo } })) ?? localOnly
  return (
    <SignInFrame context={context}>
      <SiloLine silo={silo} context={context} />
      {/* The line reserved for a failure doubles as the card's padding. */}
      <div className="-mb-5">
        <LocalSignIn silo={silo} hasPasskeys={passkey} onSignedIn={() => signedIn(context)} />
      </div>
    </SignInFrame>
  )
}
