import { LocalForm } from '../features/sign-in/LocalForm.tsx'
import type { Page } from './place.ts'
import { signedIn } from './signed-in.ts'
import { SignInFrame } from './SignInFrame.tsx'
import { SiloLine } from './SiloLine.tsx'

export const localLogin: Page = (place) => {
  const { silo = '' } = place.params
  return (
    <SignInFrame place={place}>
      <SiloLine silo={silo} place={place} />
      <LocalForm silo={silo} onSignedIn={() => signedIn(place)} />
    </SignInFrame>
  )
}
