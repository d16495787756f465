import { loginMethodView } from '@gantry/api/client/operations/extension-login.reads.gen'
import { ask } from '#/data/ask.ts'
import { LocalWay } from '#/features/sign-in/LocalWay.tsx'
import { localOnly } from '#/features/sign-in/ways-in.ts'
import type { Page } from './place.ts'
import { signedIn } from './signed-in.ts'
import { SignInFrame } from './SignInFrame.tsx'
import { SiloLine } from './SiloLine.tsx'

export const localLogin: Page = async (place) => {
  const { silo = '' } = place.params
  const { passkey } = (await ask(loginMethodView, { path: { siloName: silo } })) ?? localOnly
  return (
    <SignInFrame place={place}>
      <SiloLine silo={silo} place={place} />
      {/* The line that is kept free for a failure is part of the card's padding. */}
      <div className="-mb-5">
        <LocalWay silo={silo} hasPasskeys={passkey} onSignedIn={() => signedIn(place)} />
      </div>
    </SignInFrame>
  )
}
