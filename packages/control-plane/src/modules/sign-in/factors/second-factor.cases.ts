import type { secondFactorOps } from '@gantry/api/people/second-factor'
import { atSilo, id, notBegun } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, openly, withinNamedSilo } from '@gantry/control-plane/testing/operation-case'

const assertion = { credential_id: 'x', client_data: 'x', authenticator_data: 'x', signature: 'x' }
const newPasskey = { name: 'x', credential_id: 'x', client_data: 'x', attestation: 'x', transports: [] }

export const secondFactorCases: CasesOf<typeof secondFactorOps> = {
  loginPasskeyChallenge: {
    sent: { ...atSilo, body: { use: 'second_factor' } },
    rule: 'anybody',
    allowed: () => ['/ext/v1/login/demo/passkey-challenge', { use: 'sign_in' }],
    anonymously: [401, notBegun],
  },
  loginPasskey: {
    sent: { ...atSilo, body: assertion },
    rule: 'anybody',
    allowed: () => ['/ext/v1/login/demo/passkey', assertion],
    anonymously: [400, 'passkeys cannot be used here'],
  },
  loginTotp: {
    sent: { ...atSilo, body: { code: '000000' } },
    rule: 'anybody',
    allowed: () => ['/ext/v1/login/demo/totp', { code: 'x' }],
    anonymously: [401, notBegun],
    afterPassword: true,
  },
  loginRecoveryCode: {
    sent: { ...atSilo, body: { code: 'x' } },
    rule: 'anybody',
    allowed: () => ['/ext/v1/login/demo/recovery-code', { code: 'x' }],
    anonymously: [401, notBegun],
    afterPassword: true,
  },
  loginTotpSetUp: {
    sent: atSilo,
    rule: 'anybody',
    allowed: () => ['/ext/v1/login/demo/totp-set-up'],
    anonymously: [401, notBegun],
    afterPassword: true,
  },
  loginTotpCreate: {
    sent: { ...atSilo, body: { code: '000000' } },
    rule: 'anybody',
    allowed: () => ['/ext/v1/login/demo/totp-set-up/confirm', { code: 'x' }],
    anonymously: [401, notBegun],
    afterPassword: true,
  },
  loginPasskeySetUp: {
    sent: atSilo,
    rule: 'anybody',
    allowed: () => ['/ext/v1/login/demo/passkey-set-up'],
    anonymously: [401, notBegun],
    afterPassword: true,
  },
  loginPasskeyCreate: {
    sent: { ...atSilo, body: newPasskey },
    rule: 'anybody',
    allowed: () => ['/ext/v1/login/demo/passkey-set-up/confirm', newPasskey],
    anonymously: [401, notBegun],
    afterPassword: true,
  },
  secondFactorView: { sent: {}, rule: 'member', allowed: () => ['/ext/v1/me/second-factors'] },
  confirmationChallenge: {
    sent: {},
    rule: 'member',
    allowed: () => ['/ext/v1/me/confirmations/passkey-challenge'],
  },
  confirmationCreate: {
    sent: { body: { kind: 'password', password: 'x' } },
    rule: 'member',
    allowed: () => ['/ext/v1/me/confirmations', { kind: 'password', password: 'correct horse' }],
  },
  passkeySetUp: { sent: {}, rule: 'member', allowed: () => ['/ext/v1/me/passkeys/set-up'] },
  passkeyCreate: {
    sent: { body: newPasskey },
    rule: 'member',
    allowed: () => ['/ext/v1/me/passkeys', newPasskey],
  },
  passkeyUpdate: {
    sent: { path: { passkey_id: id }, body: { name: 'x' } },
    rule: 'member',
    allowed: ({ ids }) => [`/ext/v1/me/passkeys/${ids.project}`, { name: 'x' }],
    missing: true,
  },
  passkeyDelete: {
    sent: { path: { passkey_id: id } },
    rule: 'member',
    allowed: ({ ids }) => [`/ext/v1/me/passkeys/${ids.project}`],
    missing: true,
  },
  totpSetUp: { sent: {}, rule: 'member', allowed: () => ['/ext/v1/me/totp/set-up'] },
  totpCreate: {
    sent: { body: { code: '000000' } },
    rule: 'member',
    allowed: () => ['/ext/v1/me/totp', { code: 'x' }],
  },
  totpDelete: { sent: {}, rule: 'member', allowed: () => ['/ext/v1/me/totp'], missing: true },
  recoveryCodesCreate: { sent: {}, rule: 'member', allowed: () => ['/ext/v1/me/recovery-codes'] },
  userSecondFactorView: {
    sent: { path: { user_id: id } },
    rule: withinNamedSilo('modify', 'siloUser'),
    allowed: ({ ids }) => [`/ext/v1/users/${ids.user}/second-factors?silo=demo`],
  },
  userSecondFactorReset: {
    sent: { path: { user_id: id } },
    rule: withinNamedSilo('modify', 'siloUser'),
    allowed: async ({ freshUser }) => [`/ext/v1/users/${await freshUser()}/second-factors?silo=demo`],
  },
  secondFactorSettingsView: {
    sent: {},
    rule: openly('read', 'silo'),
    allowed: () => ['/ext/v1/auth-settings'],
  },
  secondFactorSettingsUpdate: {
    sent: { body: { second_factor: 'optional' } },
    rule: openly('modify', 'silo'),
    allowed: () => ['/ext/v1/auth-settings', { second_factor: 'optional' }],
  },
}
