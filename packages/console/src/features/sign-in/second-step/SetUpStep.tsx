import type { OutputOf } from '@gantry/api/client/client'
import {
  loginPasskeyCreate,
  loginPasskeySetUp,
  loginTotpCreate,
  loginTotpSetUp,
} from '@gantry/api/client/operations/extension-login.changes.gen'
import type { FactorKind } from '@gantry/api/people/second-factor.rules'
import KeyRound from 'lucide-react/icons/key-round'
import Smartphone from 'lucide-react/icons/smartphone'
import { useState } from 'react'
import { asFailure } from '#/data/failure.ts'
import { Button } from '#/ui/Button.tsx'
import { takeFocus } from '#/ui/overlays/focus.ts'
import { makePasskey } from '../factors/browser-passkeys.ts'
import { whyNoPasskeys } from '../factors/passkey-support.ts'
import { RecoveryCodes, TotpSecret } from '../factors/set-up-parts.tsx'
import { browserName } from '#/features/sessions/browser-name.ts'
import { type FailedAttempt, outcomeOf, problemText } from '../attempt.ts'
import { AttemptNote, BackToPassword } from '../AttemptForm.tsx'
import { CodeForm } from './CodeForm.tsx'

interface Props {
  silo: string
  kinds: readonly FactorKind[]
  onSignedIn: () => void
  onProblem: (problem: FailedAttempt) => void
  onBack: () => void
}

/** After the password of a user who must have a second factor but has none: sets up the first one during sign-in. */
export function SetUpStep({ silo, kinds, onSignedIn, onProblem, onBack }: Props) {
  const [app, setApp] = useState<OutputOf<'loginTotpSetUp'>>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [pending, setPending] = useState<FactorKind>()
  const [failed, setFailed] = useState<FailedAttempt>()
  const path = { siloName: silo }

  function fail(problem: FailedAttempt): void {
    setPending(undefined)
    setFailed(problem)
    onProblem(problem)
  }

  async function begin(kind: FactorKind): Promise<void> {
    setPending(kind)
    setFailed(undefined)
    if (kind === 'totp') {
      const begun = await outcomeOf(loginTotpSetUp, { path })
      return begun.problem ? fail(begun.problem) : setApp(begun.data)
    }
    const begun = await outcomeOf(loginPasskeySetUp, { path })
    if (begun.problem) return fail(begun.problem)
    try {
      const body = { name: browserName(navigator.userAgent), ...(await makePasskey(begun.data)) }
      const made = await outcomeOf(loginPasskeyCreate, { path, body })
      return made.problem ? fail(made.problem) : setCodes(made.data.recoveryCodes ?? [])
    } catch (error) {
      fail({ failure: asFailure(error), retryAt: undefined })
    }
  }

  if (codes)
    return (
      <div className="space-y-4">
        <h2 ref={takeFocus} tabIndex={-1} className="text-md outline-none">
          Recovery codes
        </h2>
        <RecoveryCodes codes={codes} />
        <Button block size="lg" kind="primary" onClick={onSignedIn}>
          Continue
        </Button>
      </div>
    )
  if (app)
    return (
      <div className="space-y-4">
        <TotpSecret {...app} />
        <CodeForm
          op={loginTotpCreate}
          silo={silo}
          label="Code from your authenticator app"
          isDigits
          submitLabel="Set up and sign in"
          onDone={({ recoveryCodes }) => setCodes(recoveryCodes ?? [])}
          onProblem={onProblem}
        />
        <BackToPassword onBack={onBack} />
      </div>
    )
  return (
    <div className="space-y-4">
      <p ref={takeFocus} tabIndex={-1} className="text-muted outline-none">
        Your password is correct. Silo <strong>{silo}</strong> requires a second factor; set one up to sign
        in.
      </p>
      {kinds.includes('passkey') && (
        <Button
          block
          size="lg"
          kind="primary"
          pending={pending === 'passkey'}
          pendingLabel="Waiting for your passkey"
          disabledReason={whyNoPasskeys()}
          onClick={() => void begin('passkey')}
        >
          <KeyRound aria-hidden strokeWidth={1.75} className="size-4" />
          Create a passkey
        </Button>
      )}
      <Button block size="lg" pending={pending === 'totp'} onClick={() => void begin('totp')}>
        <Smartphone aria-hidden strokeWidth={1.75} className="size-4" />
        Set up an authenticator app
      </Button>
      <AttemptNote text={failed && problemText(failed)} retryAt={failed?.retryAt} />
      <BackToPassword onBack={onBack} />
    </div>
  )
}
