import type { ReactNode } from 'react'
import { homePath } from '../data/redirect-uri.ts'
import { ReturnNote } from '../features/sign-in/ReturnNote.tsx'
import { LoginFrame } from '../shell/LoginFrame.tsx'
import { type Place, returnAt } from './place.ts'

/** Around every step of signing in, which says where it leads. */
export function SignInFrame({ place, children }: { place: Place; children: ReactNode }) {
  return (
    <LoginFrame title="Sign in to Gantry" note={<ReturnNote to={returnAt(place) ?? homePath} />}>
      {children}
    </LoginFrame>
  )
}
