import { canonicalUuid } from '@gantry/api/base/name.rules'
import { spend } from '@gantry/control-plane/work/attempts'
import { implement } from '@gantry/control-plane/pipeline/implement'
import { addFactor, removeFactor } from './add-factor.ts'
import { confirm, requestConfirmation } from './confirmation.ts'
import { needConfirmed } from './recent-confirmation.ts'
import { holderOf } from './factor-holder.ts'
import { challengeAttempts } from './limits.ts'
import { renamePasskey, viewOwnFactors } from './own-factors.ts'
import { beginPasskey, checkNewPasskey } from './passkeys.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'
import { resetFactors, viewFactors } from './reset.ts'
import { updateSecondFactorSettings, viewSecondFactorSettings } from './settings.ts'
import {
  loginByPasskey,
  loginByRecoveryCode,
  loginByTotp,
  loginPasskeyAdd,
  loginPasskeyBegin,
  loginPasskeyRequest,
  loginTotpAdd,
  loginTotpBegin,
} from './sign-in.ts'
import { beginTotp, checkNewTotp } from './totp-factor.ts'

export const secondFactorHttp = implement({
  loginPasskeyChallenge: (cx, { path, body }) => loginPasskeyRequest(cx, path.silo_name, body.use),
  loginPasskey: (cx, { path, body }) => loginByPasskey(cx, path.silo_name, body),
  loginTotp: (cx, { path, body }) => loginByTotp(cx, path.silo_name, body.code),
  loginRecoveryCode: (cx, { path, body }) => loginByRecoveryCode(cx, path.silo_name, body.code),
  loginTotpSetUp: (cx, { path }) => loginTotpBegin(cx, path.silo_name),
  loginTotpCreate: (cx, { path, body }) => loginTotpAdd(cx, path.silo_name, body.code),
  loginPasskeySetUp: (cx, { path }) => loginPasskeyBegin(cx, path.silo_name),
  loginPasskeyCreate: (cx, { path, body }) => loginPasskeyAdd(cx, path.silo_name, body),
  secondFactorView: viewOwnFactors,
  confirmationChallenge: requestConfirmation,
  confirmationCreate: (cx, { body }) => confirm(cx, body),
  passkeySetUp: async (cx) => {
    await needConfirmed(cx)
    await spend(cx, challengeAttempts(cx))
    return beginPasskey(cx, holderOf(cx))
  },
  passkeyCreate: (cx, { body }) => addFactor(cx, (holder) => checkNewPasskey(cx, holder, body)),
  passkeyUpdate: (cx, { path, body }) => renamePasskey(cx, path.passkey_id, body.name),
  passkeyDelete: (cx, { path }) => removeFactor(cx, 'passkey', canonicalUuid(path.passkey_id)),
  totpSetUp: async (cx) => {
    await needConfirmed(cx)
    return beginTotp(cx, holderOf(cx))
  },
  totpCreate: (cx, { body }) => addFactor(cx, (holder) => checkNewTotp(cx, holder, body.code)),
  totpDelete: (cx) => removeFactor(cx, 'totp'),
  recoveryCodesCreate: renewRecoveryCodes,
  userSecondFactorView: (cx, { path, query }) => viewFactors(cx, query.silo, path.user_id),
  userSecondFactorReset: (cx, { path, query }) => resetFactors(cx, query.silo, path.user_id),
  secondFactorSettingsView: viewSecondFactorSettings,
  secondFactorSettingsUpdate: (cx, { body }) => updateSecondFactorSettings(cx, body),
})
