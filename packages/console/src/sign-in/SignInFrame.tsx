import type { ReactNode } from 'react'
import { homePath } from '#/data/redirect-uri.ts'
import { LoginFrame } from '#/shell/LoginFrame.tsx'
import { type Place, returnAt } from './place.ts'

/** Around every step of signing in, which says where it leads. */
export function SignInFrame({ place, children }: { place: Place; children: ReactNode }) {
  return (
    <LoginFrame title="Sign in to Gantry" note={<ReturnNote to={returnAt(place) ?? homePath} />}>
      {children}
    </LoginFrame>
  )
}

/** Says that the way back is remembered, where there is one to speak of. */
function ReturnNote({ to }: { to: string }) {
  if (to === homePath) return null
  return (
    <>
      You will return to <span className="font-mono text-[0.8125rem] wrap-anywhere">{to.split('?')[0]}</span>{' '}
      after signing in.
    </>
  )
}
