import type { Dialect } from 'kysely'
import type { BlockStore } from './blocks/block-store.ts'
import type { Settings } from './settings.ts'

/**
 * Everything the control plane takes from the world around it. A server fills it from Node, the preview
 * from the browser, a test from fakes; nothing else in this package touches time, chance or I/O.
 */
export interface Environment {
  /** PostgreSQL dialect of Kysely: PGlite or a server. */
  dialect: Dialect
  blocks: BlockStore
  passwords: Passwords
  /** Encrypts secrets that the database keeps and that must be readable again. */
  seal: Seal
  settings: Settings
  /** Undefined where nothing can read certificates, as in a browser. */
  certificates: Certificates | undefined
  /** The DNS zone that silos have their host names in: `{silo}.sys.{zone}`. */
  dnsZone: string
  /** Undefined where nobody can come back from an identity provider, as to a page that is its own server. */
  saml: Saml | undefined
  /** Undefined where no browser can reach this by a domain, as a page that is its own server. */
  webauthn: WebAuthn | undefined
  log: Log
  clock: () => Date
  /** Cryptographically strong bytes. */
  random: (length: number) => Uint8Array<ArrayBuffer>
  /** Cookies carry `Secure` and redirects say https. */
  secure: boolean
  /** Origins whose cookie-carrying writes and upgrades are accepted; others are refused. Empty: the request's own host. */
  origins: readonly string[]
}

export interface Passwords {
  hash: (password: string) => Promise<string>
  verify: (hash: string, password: string) => Promise<boolean>
}

/** Keys at rest: a copy of the database alone does not tell them where the installation has a key. */
export interface Seal {
  seal: (secret: string) => Promise<string>
  /** The secret again; a text that was kept before there was a key is returned unchanged. */
  open: (sealed: string) => Promise<string>
  /** Whether it is kept as `seal` would keep it now; what is not is sealed again at the next start. */
  isCurrent: (text: string) => boolean
}

/** For an installation without a key, and for the preview, whose database ends with the page. */
export const noSeal: Seal = {
  seal: async (secret) => secret,
  open: async (sealed) => sealed,
  isCurrent: () => true,
}

/** Reads what TLS certificates and their keys say; what has to be true of them is not decided here. */
export interface Certificates {
  /** The certificates of a PEM text in their order, undefined where one of them cannot be read. */
  readChain: (pem: string) => CertificateFacts[] | undefined
}
export interface CertificateFacts {
  notAfter: Date
  /** Whether it names the host, itself or by a wildcard. */
  isFor: (host: string) => boolean
  /** What it may be used for, as object identifiers; undefined where it does not say. */
  purposes: readonly string[] | undefined
  /** Whether a private key in PEM is the one it was made for; undefined where that cannot be read. */
  hasKey: (pem: string) => boolean | undefined
}

/** What is kept of an identity provider, as far as signing in is concerned. */
export interface SamlProvider {
  /** The document in which it describes itself. */
  metadata: string
  idp_entity_id: string
  sp_client_id: string
  acs_url: string
  /** RSA key that requests are signed with, DER in base64. */
  private_key: string | null
  group_attribute_name: string | null
}

/** What an identity provider says of somebody, once everything about it was checked. */
export interface SamlAssertion {
  id: string
  /** Text of the NameID, which is whom it is about. */
  subject: string
  groups: string[]
  /** From then on it would be refused anyway. */
  expires: Date
}

/** SAML and its XML. What is not accepted is thrown as a refusal. */
export interface Saml {
  /** The text at an address. */
  fetchMetadata: (url: string) => Promise<string>
  /** Refuses a document with which nobody could sign in. */
  checkMetadata: (metadata: string) => Promise<void>
  /** Refuses a key that is not the certificate's; both are DER in base64. */
  checkKeyPair: (pair: { public_cert: string; private_key: string }) => void
  /** Where a browser goes to sign in. */
  signInUrl: (provider: SamlProvider, relayState: string | undefined) => Promise<string>
  /** What a response says, in the base64 that a browser posts; nothing of it counts unless it is signed. */
  readResponse: (provider: SamlProvider, response: string, now: Date) => Promise<SamlAssertion>
}

/** What a browser answered, in base64url. */
export interface MadePasskey {
  credential_id: string
  client_data: string
  attestation: string
}
export interface UsedPasskey {
  credential_id: string
  client_data: string
  authenticator_data: string
  signature: string
}
/** The challenge that was given, and whom the browser has to name as having given it. */
export interface WebAuthnExpected {
  challenge: string
  origin: string
  rp_id: string
}
/** What is kept of a passkey. */
export interface KnownPasskey {
  credential_id: string
  public_key: string
  sign_count: number
}

/** WebAuthn and its CBOR. What is not accepted is thrown, with the reason for the log. */
export interface WebAuthn {
  readRegistration: (made: MadePasskey, expected: WebAuthnExpected) => Promise<KnownPasskey>
  /** How often the passkey has signed by now. */
  readAssertion: (used: UsedPasskey, expected: WebAuthnExpected, known: KnownPasskey) => Promise<number>
}

export interface Log {
  info: (fields: Record<string, unknown>, message: string) => void
  warn: (fields: Record<string, unknown>, message: string) => void
  error: (fields: Record<string, unknown>, message: string) => void
}

/** Who is at the other end of a connection, as far as the transport knows. */
export interface Peer {
  address: string
}

/** One end of an open WebSocket, in the terms that Node and the browser share. */
export interface ByteSocket {
  /** A binary frame. */
  send: (bytes: Uint8Array) => void
  close: (code: number, reason: string) => void
  /** Binary frames only; text frames are dropped by the transport. */
  onBytes: (listener: (bytes: Uint8Array) => void) => void
  onClose: (listener: () => void) => void
  /** Bytes sent and not yet taken by the network: the console stops producing above a bound. */
  buffered: () => number
}

/** A certificate that a silo keeps for its own host name. What it holds never changes. */
export interface SiloCertificate {
  id: string
  host: string
  /** The chain and its private key, both PEM; undefined where it was removed meanwhile. */
  read: () => Promise<{ cert: string; key: string } | undefined>
}

/** What a running control plane offers to the process around it. */
export interface ControlPlane {
  /** Brings the schema and the seals of secrets up to date; safe to run in several processes at once. */
  migrate: () => Promise<void>
  /** Creates the first contents of an empty database; `false` when it already had any. */
  seed: (kind: SeedKind, password: string) => Promise<boolean>
  /** One API request (every path of the contract, `/openapi.json` included). Never throws. */
  fetch: (request: Request, peer: Peer) => Promise<Response>
  /** A WebSocket upgrade: a response that refuses it, or what to do with the open socket. */
  upgrade: (request: Request, peer: Peer) => Promise<Response | ((socket: ByteSocket) => void)>
  /** Paths that belong to the API rather than to the console's pages. */
  serves: (method: string, pathname: string) => boolean
  /** What silos serve https with, newest first. */
  certificates: () => Promise<SiloCertificate[]>
  /** Starts jobs, reconcilers and the publisher of changes. */
  start: () => void
  /** Starts what streams of changes need, in a process beside others that do everything else. */
  startStreams: () => void
  /** Ends streams, lets running work finish, and closes the database. */
  stop: () => Promise<void>
}

/** `demo`: fleet, silo `demo` with three users, images and a project. `recovery`: only the recovery silo. */
export type SeedKind = 'demo' | 'recovery'
