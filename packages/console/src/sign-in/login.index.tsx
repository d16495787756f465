import { loginMethodView, loginSiloList } from '@gantry/api/client/operations/extension-login.reads.gen'
import { ask } from '#/data/ask.ts'
import { lastSilo } from '#/data/session.ts'
import { SiloChooser } from '#/features/sign-in/SiloChooser.tsx'
import { firstSilo, localOnly } from '#/features/sign-in/ways-in.ts'
import { SignInMethods } from '#/features/sign-in/SignInMethods.tsx'
import { loginAt, type Page, returnAt } from './place.ts'
import { signedIn } from './signed-in.ts'
import { SignInFrame } from './SignInFrame.tsx'
import { SiloLine } from './SiloLine.tsx'

/** Finds the silo and lists its sign-in methods. What the server cannot say, the user can enter. */
export const login: Page = async (context) => {
  const requested = context.search.get('silo') ?? undefined
  const listed = (await ask(loginSiloList, {}))?.items ?? []
  const silo = firstSilo(requested, lastSilo(), listed)
  if (silo === undefined) {
    return (
      <SignInFrame context={context}>
        <p className="mt-0.5 mb-5 text-muted">Which silo do you belong to?</p>
        <SiloChooser
          listed={listed}
          initial={requested ?? ''}
          onChoose={(selected) => context.go(loginAt(context, selected))}
        />
      </SignInFrame>
    )
  }
  const methods = (await ask(loginMethodView, { path: { siloName: silo } })) ?? localOnly
  return (
    <SignInFrame context={context}>
      <SiloLine silo={silo} context={context} />
      <SignInMethods
        key={silo}
        silo={silo}
        methods={methods}
        onSignedIn={() => signedIn(context)}
        returnTo={returnAt(context)}
      />
    </SignInFrame>
  )
}
