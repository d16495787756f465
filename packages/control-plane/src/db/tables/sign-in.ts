import type { SamlAttribute } from '@gantry/api/people/saml-check'
import type { TokenScope } from '@gantry/api/people/token-scope.rules'
import type { SecondFactorRule } from '@gantry/api/people/second-factor.rules'
import type { Defaulted, Json, JsonOrNull, Named } from './column-types.ts'

interface SiloUserPasswordTable {
  silo_user_id: string
  hash: string
  /** Set for the user, who must replace it at the next sign-in. */
  is_one_time: Defaulted<boolean>
}
interface ConsoleSessionTable {
  id: string
  /** SHA-256 of the cookie's value, in hex: a copy of the table opens no session. */
  token_hash: string
  silo_user_id: string
  time_created: Date
  time_last_used: Date
  /** The browser that signed in, as it identified itself, and its address. */
  user_agent: Defaulted<string | null>
  address: Defaulted<string | null>
  /** When the user last confirmed their presence, if after signing in. */
  time_confirmed: Defaulted<Date | null>
}
interface PasskeyTable {
  id: string
  silo_user_id: string
  /** Base64url, as is the public key, which is encoded as COSE. */
  credential_id: string
  public_key: string
  /** The domain it was created for. */
  rp_id: string
  /** The authenticator's signature counter; stays 0 if it has none. */
  sign_count: number
  transports: Json<string[]>
  name: string
  time_created: Date
  time_last_used: Date | null
}
/** A challenge that a passkey signs once. */
interface PasskeyChallengeTable {
  challenge_hash: string
  use: PasskeyUse
  /** The only user whose passkey is accepted; null when the passkey itself identifies the user. */
  silo_user_id: string | null
  time_expires: Date
}
/** An authenticator app. */
interface TotpTable {
  silo_user_id: string
  /** Base32, sealed. */
  secret: string
  /** The time step of the last code used: each code is valid once. */
  last_step: number
  time_created: Date
  time_last_used: Date | null
}
/** An authenticator app not yet confirmed by a code. */
interface TotpSetUpTable {
  silo_user_id: string
  secret: string
  time_expires: Date
}
interface RecoveryCodeTable {
  silo_user_id: string
  code_hash: string
}
/**
 * A sign-in that passed its first step and is pending a second factor or a new password; alone it grants
 * nothing.
 */
interface PendingSignInTable {
  secret_hash: string
  silo_user_id: string
  /** SHA-256 of the password's hash: a password change invalidates it. */
  password_hash: string
  waits_for: Defaulted<'second_factor' | 'new_password'>
  /** Whether the second factor was verified, so that only a new password is missing. */
  factor_shown: Defaulted<boolean>
  time_created: Date
  time_expires: Date
}
/** A device awaiting approval by a user; its code without separators. */
interface DeviceAuthRequestTable {
  user_code: string
  /** SHA-256 in hex, as for sessions, of the code that the device keeps. */
  device_code_hash: string
  client_id: string
  ttl_seconds: number | null
  /** Where the device asked from, and as what, for the audit record of its approval. */
  source_ip: Defaulted<string | null>
  user_agent: Defaulted<string | null>
  /** When a user denied the device, which is still told so until its code expires. */
  time_denied: Defaulted<Date | null>
  time_created: Date
  time_expires: Date
}
interface DeviceAccessTokenTable {
  id: string
  /** Null until the device fetches the token, which works once. */
  token_hash: Defaulted<string | null>
  time_fetched: Defaulted<Date | null>
  /** Null for one that a user made without a device. */
  device_code_hash: string | null
  client_id: string | null
  silo_user_id: string
  name: Defaulted<string | null>
  description: Defaulted<string | null>
  /** Null if it may do all that its user may. */
  scope: JsonOrNull<TokenScope>
  /** Of its last use, to the minute. */
  time_last_used: Defaulted<Date | null>
  last_address: Defaulted<string | null>
  last_user_agent: Defaulted<string | null>
  time_created: Date
  time_expires: Date
}
/** A silo without a row uses the defaults. */
interface SiloAuthSettingsTable {
  silo_id: string
  generation: number
  device_token_max_ttl_seconds: number | null
  second_factor: Defaulted<SecondFactorRule>
}
interface SamlIdentityProviderTable extends Named {
  silo_id: string
  /** The provider's metadata document at the time of its creation. */
  metadata: string
  idp_entity_id: string
  sp_client_id: string
  acs_url: string
  slo_url: string
  technical_contact_email: string
  /** DER in base64; its private key is stored separately. */
  public_cert: string | null
  group_attribute_name: string | null
}
interface SamlSigningKeyTable {
  saml_identity_provider_id: string
  private_key: string
}
/** An assertion that opened a session, kept for as long as it could be replayed. */
interface SamlUsedAssertionTable {
  saml_identity_provider_id: string
  assertion_hash: string
  time_expires: Date
}
/** A test sign-in at an identity provider, which shows its result and opens no session. */
interface SamlSignInTestTable {
  id: string
  /** SHA-256 of the secret that travels to the provider and back. */
  secret_hash: string
  /** The user who started it, and who alone may see the result. */
  silo_user_id: string
  saml_identity_provider_id: string
  redirect_uri: string
  time_expires: Date
  result: JsonOrNull<KeptTestResult>
}
/** An identity provider's answer to a test sign-in. */
export type KeptTestResult =
  | { outcome: 'accepted'; subject: string; groups: string[]; attributes: SamlAttribute[] }
  | { outcome: 'refused'; message: string }
/** A bucket of attempts, stored as the time at which it is full again (`work/attempts.ts`). */
interface AttemptTable {
  key: string
  full_at: Date
}
/** A secret of this installation, sealed (`context/installation-key.ts`). */
interface SigningKeyTable {
  name: string
  key: string
}
/** The ceremony a passkey is used in. */
export type PasskeyUse = 'create' | 'sign_in' | 'second_factor' | 'confirm'
/** How a caller authenticated. */
export type AuthMethod = 'session_cookie' | 'access_token' | 'scim_token'
export interface Credential {
  method: Exclude<AuthMethod, 'scim_token'>
  id: string
  /** Of a token that may not do all that its user may. */
  scope?: TokenScope
  /** Of a token; one that a device requested has none. */
  name?: string
}
/** Separate from the audit log, with shorter retention: people type passwords into name fields. */
interface FailedSignInTable {
  id: string
  time: Date
  silo_name: string
  username: string
  /** Of the audit record, which outlives this row. */
  request_id: Defaulted<string | null>
  source_ip: string
  user_agent: string | null
}

export interface SignInTracked {
  saml_identity_provider: SamlIdentityProviderTable
}

export interface SignInPlain {
  silo_user_password: SiloUserPasswordTable
  console_session: ConsoleSessionTable
  passkey: PasskeyTable
  passkey_challenge: PasskeyChallengeTable
  totp: TotpTable
  totp_set_up: TotpSetUpTable
  recovery_code: RecoveryCodeTable
  pending_sign_in: PendingSignInTable
  device_auth_request: DeviceAuthRequestTable
  device_access_token: DeviceAccessTokenTable
  silo_auth_settings: SiloAuthSettingsTable
  saml_signing_key: SamlSigningKeyTable
  saml_used_assertion: SamlUsedAssertionTable
  saml_sign_in_test: SamlSignInTestTable
  attempt: AttemptTable
  signing_key: SigningKeyTable
  failed_sign_in: FailedSignInTable
}
