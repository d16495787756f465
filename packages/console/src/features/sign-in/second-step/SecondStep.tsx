import { loginRecoveryCode, loginTotp } from '@gantry/api/client/operations/extension-login.changes.gen'
import type { SecondStepKind } from '@gantry/api/people/second-factor.rules'
import { useState } from 'react'
import { takeFocus } from '#/ui/overlays/focus.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { whyNoPasskeys } from '../factors/passkey-support.ts'
import type { FailedAttempt } from '../attempt.ts'
import { PasskeyButton } from '../PasskeyButton.tsx'
import { BackToPassword } from '../AttemptForm.tsx'
import { CodeForm } from './CodeForm.tsx'

interface Props {
  silo: string
  kinds: readonly SecondStepKind[]
  onSignedIn: () => void
  onProblem: (problem: FailedAttempt) => void
  onBack: () => void
}

const switchWords: Record<SecondStepKind, string> = {
  passkey: 'Use a passkey instead',
  totp: 'Use a code from your authenticator app instead',
  recovery_code: 'Use a recovery code instead',
}

/** After the password: any one of the user's second factors. */
export function SecondStep({ silo, kinds, onSignedIn, onProblem, onBack }: Props) {
  const usable = kinds.filter((kind) => kind !== 'passkey' || !whyNoPasskeys())
  const [kind, setKind] = useState(usable[0])
  const form = { silo, onProblem, onDone: onSignedIn }
  return (
    <div className="space-y-4">
      {/* A code has a field that takes the focus. */}
      <p
        ref={kind === undefined || kind === 'passkey' ? takeFocus : undefined}
        tabIndex={-1}
        className="text-muted outline-none"
      >
        Your password is correct. Confirm your identity to continue.
      </p>
      {kind === undefined && (
        <Note kind="busy">
          None of your second factors work at this address. Open the console at the address where you set them
          up, or ask a silo administrator to reset them.
        </Note>
      )}
      {kind === 'passkey' && (
        <PasskeyButton
          silo={silo}
          use="second_factor"
          kind="primary"
          onSignedIn={onSignedIn}
          onProblem={onProblem}
        />
      )}
      {kind === 'totp' && (
        <CodeForm key={kind} {...form} op={loginTotp} label="Code from your authenticator app" isDigits />
      )}
      {kind === 'recovery_code' && (
        <CodeForm
          key={kind}
          {...form}
          op={loginRecoveryCode}
          label="Recovery code"
          hint="Each code works once."
          isDigits={false}
        />
      )}
      <ul className="space-y-1 text-sm">
        {usable
          .filter((other) => other !== kind)
          .map((other) => (
            <li key={other}>
              <button type="button" className="link min-h-6 coarse:min-h-11" onClick={() => setKind(other)}>
                {switchWords[other]}
              </button>
            </li>
          ))}
      </ul>
      <BackToPassword onBack={onBack} />
    </div>
  )
}
