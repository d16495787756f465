import { z } from 'zod'
import { Password } from './me.ts'
import { del, family, get, post, put } from '../op.ts'
import { maybe, Name, named, NameOrId, text, Timestamp, Uuid } from '../schema.ts'
import {
  factorKinds,
  passkeyNameMaxLength,
  passkeyNameProblem,
  secondFactorRules,
} from './second-factor.rules.ts'

/** Bytes in base64url without padding, as in WebAuthn. */
const base64url = (max: number) =>
  z
    .string()
    .max(max, `expected at most ${max} characters`)
    .regex(/^[A-Za-z0-9_-]+$/, 'expected base64url without padding')

const CredentialId = base64url(1400)
const Transports = z.array(z.string().max(32, 'expected at most 32 characters')).max(8, 'expected at most 8')
const CredentialReference = named(
  'PasskeyReference',
  z.object({ id: z.string(), transports: z.array(z.string()) }),
)

/** Options for a browser to create a passkey. */
const PasskeyCreation = named(
  'PasskeyCreation',
  z.object({
    challenge: z.string(),
    rp_id: z.string(),
    user_handle: z.string(),
    user_name: z.string(),
    algorithms: z.array(z.number().int()),
    /** The user's existing ones: no authenticator creates a second one. */
    exclude: z.array(CredentialReference),
    timeout_seconds: z.number().int(),
  }),
)
export type PasskeyCreation = z.infer<typeof PasskeyCreation>

/** Options for a browser to sign with a passkey. */
const PasskeyRequest = named(
  'PasskeyRequest',
  z.object({
    challenge: z.string(),
    rp_id: z.string(),
    /** Accepted passkeys; if empty, any that the user chooses. */
    allow: z.array(CredentialReference),
    timeout_seconds: z.number().int(),
  }),
)
export type PasskeyRequest = z.infer<typeof PasskeyRequest>

const PasskeyName = text(
  passkeyNameMaxLength,
  `Must be ${passkeyNameMaxLength} characters or less`,
).superRefine((name, context) => {
  const message = passkeyNameProblem(name)
  if (message) context.addIssue({ code: 'custom', message })
})
const PasskeyCreate = named(
  'PasskeyCreate',
  z.object({
    name: PasskeyName,
    credential_id: CredentialId,
    client_data: base64url(4096),
    attestation: base64url(8192),
    transports: Transports,
  }),
)
export type PasskeyCreate = z.infer<typeof PasskeyCreate>

const assertion = {
  credential_id: CredentialId,
  client_data: base64url(4096),
  authenticator_data: base64url(4096),
  signature: base64url(2048),
  user_handle: maybe(base64url(128)),
}
const PasskeyAssertion = named('PasskeyAssertion', z.object(assertion))
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>

/** Raw input; blanks and dashes are ignored. */
const Code = z.string().max(64, 'expected at most 64 characters')
const FactorCode = named('FactorCode', z.object({ code: Code }))

const TotpSetUp = named(
  'TotpSetUp',
  z.object({
    /** Base32, to type into an authenticator app. */
    secret: z.string(),
    /** The same as an `otpauth:` URI, for a QR code. */
    uri: z.string(),
  }),
)
const RecoveryCodes = named('RecoveryCodes', z.object({ codes: z.array(z.string()) }))
/** Recovery codes come with the first factor and are shown only this once. */
const FactorAdded = named('FactorAdded', z.object({ recovery_codes: z.array(z.string()).nullable() }))
export type FactorAdded = z.infer<typeof FactorAdded>

const Passkey = named(
  'Passkey',
  z.object({
    id: Uuid,
    name: z.string(),
    /** The domain it was created for, the only one where it works. */
    rp_id: z.string(),
    time_created: Timestamp,
    time_last_used: Timestamp.nullable(),
  }),
)
export type Passkey = z.infer<typeof Passkey>

const OwnSecondFactors = named(
  'OwnSecondFactors',
  z.object({
    /** Kinds that can be set up: none with an identity provider. */
    kinds: z.array(z.enum(factorKinds)),
    passkeys: z.array(Passkey),
    totp: named(
      'TotpFactor',
      z.object({ time_created: Timestamp, time_last_used: Timestamp.nullable() }),
    ).nullable(),
    recovery_codes_left: z.number().int(),
    /** Whether the silo requires a second factor. */
    is_required: z.boolean(),
    /** Whether a change requires the password or a factor again. */
    needs_confirmation: z.boolean(),
  }),
)
export type OwnSecondFactors = z.infer<typeof OwnSecondFactors>

const UserSecondFactors = named(
  'UserSecondFactors',
  z.object({
    passkeys: z.number().int(),
    totp: z.boolean(),
    recovery_codes_left: z.number().int(),
  }),
)
export type UserSecondFactors = z.infer<typeof UserSecondFactors>

const Confirmation = named(
  'Confirmation',
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('password'), password: Password }),
    z.object({ kind: z.literal('totp'), code: Code }),
    z.object({ kind: z.literal('passkey'), ...assertion }),
  ]),
)
export type Confirmation = z.infer<typeof Confirmation>

const rule = { second_factor: named('SecondFactorRule', z.enum(secondFactorRules)) }
const SecondFactorSettings = named('SecondFactorSettings', z.object(rule))
export type SecondFactorSettings = z.infer<typeof SecondFactorSettings>

const atSilo = { anonymous: true, path: z.object({ silo_name: Name }) } as const
const ofUser = { path: z.object({ user_id: Uuid }), query: z.object({ silo: maybe(NameOrId) }) } as const

export const secondFactorOps = {
  ...family('extensions', ['second-factor', 'console-session'], {
    loginPasskeyChallenge: post('/ext/v1/login/{silo_name}/passkey-challenge', {
      summary: 'Start signing in with a passkey',
      ...atSilo,
      body: named(
        'PasskeyChallengeCreate',
        z.object({ use: named('PasskeyUse', z.enum(['sign_in', 'second_factor'])) }),
      ),
      returns: PasskeyRequest,
    }),
    loginPasskey: post('/ext/v1/login/{silo_name}/passkey', {
      summary: 'Sign in with a passkey, by itself or after a password',
      ...atSilo,
      body: PasskeyAssertion,
      status: 204,
    }),
    loginTotp: post('/ext/v1/login/{silo_name}/totp', {
      summary: 'Sign in with an authenticator code after a password',
      ...atSilo,
      body: FactorCode,
      status: 204,
    }),
    loginRecoveryCode: post('/ext/v1/login/{silo_name}/recovery-code', {
      summary: 'Sign in with a recovery code after a password',
      ...atSilo,
      body: FactorCode,
      status: 204,
    }),
    loginTotpSetUp: post('/ext/v1/login/{silo_name}/totp-set-up', {
      summary: 'Start setting up the authenticator app that the silo requires',
      ...atSilo,
      returns: TotpSetUp,
    }),
    loginTotpCreate: post('/ext/v1/login/{silo_name}/totp-set-up/confirm', {
      summary: 'Set up the authenticator app that the silo requires, and sign in',
      ...atSilo,
      body: FactorCode,
      returns: FactorAdded,
    }),
    loginPasskeySetUp: post('/ext/v1/login/{silo_name}/passkey-set-up', {
      summary: 'Start creating the passkey that the silo requires',
      ...atSilo,
      returns: PasskeyCreation,
    }),
    loginPasskeyCreate: post('/ext/v1/login/{silo_name}/passkey-set-up/confirm', {
      summary: 'Add the passkey that the silo requires, and sign in',
      ...atSilo,
      body: PasskeyCreate,
      returns: FactorAdded,
    }),
  }),
  ...family('extensions', ['second-factor'], {
    secondFactorView: get('/ext/v1/me/second-factors', {
      reads: ['second-factor', 'silo-auth-settings'],
      summary: 'Fetch the second factors of the signed-in user',
      returns: OwnSecondFactors,
    }),
    confirmationChallenge: post('/ext/v1/me/confirmations/passkey-challenge', {
      changes: [],
      summary: 'Start confirming the identity of the signed-in user with a passkey',
      returns: PasskeyRequest,
    }),
    confirmationCreate: post('/ext/v1/me/confirmations', {
      summary: 'Confirm the identity of the signed-in user',
      body: Confirmation,
      status: 204,
    }),
    passkeySetUp: post('/ext/v1/me/passkeys/set-up', {
      changes: [],
      summary: 'Start creating a passkey',
      returns: PasskeyCreation,
    }),
    passkeyCreate: post('/ext/v1/me/passkeys', {
      summary: 'Add a passkey',
      body: PasskeyCreate,
      returns: FactorAdded,
    }),
    passkeyUpdate: put('/ext/v1/me/passkeys/{passkey_id}', {
      summary: 'Rename a passkey',
      path: z.object({ passkey_id: Uuid }),
      body: named('PasskeyUpdate', z.object({ name: PasskeyName })),
      returns: Passkey,
    }),
    passkeyDelete: del('/ext/v1/me/passkeys/{passkey_id}', {
      summary: 'Delete a passkey',
      path: z.object({ passkey_id: Uuid }),
    }),
    totpSetUp: post('/ext/v1/me/totp/set-up', {
      changes: [],
      summary: 'Start setting up an authenticator app',
      returns: TotpSetUp,
    }),
    totpCreate: post('/ext/v1/me/totp', {
      summary: 'Set up an authenticator app, replacing any other',
      body: FactorCode,
      returns: FactorAdded,
    }),
    totpDelete: del('/ext/v1/me/totp', { summary: 'Remove the authenticator app' }),
    recoveryCodesCreate: post('/ext/v1/me/recovery-codes', {
      summary: 'Generate recovery codes, replacing the current ones',
      returns: RecoveryCodes,
    }),
    userSecondFactorView: get('/ext/v1/users/{user_id}/second-factors', {
      summary: 'Fetch how many second factors a user has',
      ...ofUser,
      returns: UserSecondFactors,
    }),
    userSecondFactorReset: del('/ext/v1/users/{user_id}/second-factors', {
      changes: ['second-factor', 'console-session'],
      summary: "Remove a user's second factors and end their sessions",
      ...ofUser,
    }),
  }),
  ...family('extensions', ['silo-auth-settings'], {
    secondFactorSettingsView: get('/ext/v1/auth-settings', {
      summary: 'Fetch whether the silo requires a second factor',
      returns: SecondFactorSettings,
    }),
    secondFactorSettingsUpdate: put('/ext/v1/auth-settings', {
      summary: 'Update whether the silo requires a second factor',
      body: SecondFactorSettings,
      returns: SecondFactorSettings,
    }),
  }),
}
