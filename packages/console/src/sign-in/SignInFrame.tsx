import type { ReactNode } from 'react'
import { homePath } from '#/data/redirect-uri.ts'
import { LoginFrame } from '#/shell/LoginFrame.tsx'
import { GoLink } from './GoLink.tsx'
import { loginAt, type PageContext, returnAt } from './page.ts'

/** Frames every step of signing in and names its destination. */
export function SignInFrame({ context, children }: { context: PageContext; children: ReactNode }) {
  return (
    <LoginFrame
      title="Sign in to Gantry"
      note={
        <>
          <ReturnNote to={returnAt(context) ?? homePath} />
          <GoLink to="/docs" context={context}>
            Documentation
          </GoLink>
        </>
      }
    >
      {children}
    </LoginFrame>
  )
}

/** States that the return path is remembered, unless it is the default. */
function ReturnNote({ to }: { to: string }) {
  if (to === homePath) return null
  return (
    <>
      You will return to <span className="font-mono text-[0.8125rem] wrap-anywhere">{to.split('?')[0]}</span>{' '}
      after signing in.{' '}
    </>
  )
}

/** The silo of the sign-in, with a link to select another. */
export function SiloLine({ silo, context }: { silo: string; context: PageContext }) {
  return (
    <p className="mt-0.5 mb-5 text-muted">
      Silo <strong>{silo}</strong> ·{' '}
      <GoLink to={loginAt(context, '')} context={context}>
        use another silo
      </GoLink>
    </p>
  )
}
