import type { SamlAttribute, SamlMetadata } from '@gantry/api/people/saml-check'
import type { Dialect } from 'kysely'
import type { BackupStores } from './blocks/backup-store.ts'
import type { BlockStore } from './blocks/block-store.ts'
import type { Downloads } from './blocks/downloads.ts'
import type { ImageConverter } from './blocks/image-converter.ts'
import type { Fleet, DriverServices } from './fleet/fleet.ts'
import type { Settings } from './settings.ts'

/**
 * Everything the control plane needs from the outside. A server provides it from Node, the preview from the
 * browser, and a test from fakes; nothing else in this package uses time, randomness or I/O.
 */
export interface Environment {
  /** PostgreSQL dialect of Kysely: PGlite or a server. */
  dialect: Dialect
  blocks: BlockStore
  /** Undefined where there are no tools for it, as in a browser. */
  imageConverter: ImageConverter | undefined
  /** The driver that runs instances; without one, the rack is simulated. */
  fleet?: (given: DriverServices) => Fleet
  passwords: Passwords
  /** An image that boots, for the first start of a fleet that runs real machines; undefined if there is none. */
  demoImage?: (() => Promise<FirstImage | undefined>) | undefined
  /** Encrypts stored secrets that must be readable again. */
  seal: Seal
  settings: Settings
  /** Undefined where certificates cannot be parsed, as in a browser. */
  certificates: Certificates | undefined
  /** The DNS zone of the silos' host names: `{silo}.sys.{zone}`. */
  dnsZone: string
  /** Undefined where no identity provider can redirect back, as in the preview. */
  saml: Saml | undefined
  /** Undefined where the server has no domain, as in the preview. */
  webauthn: WebAuthn | undefined
  /** Undefined where no files can be fetched from others, as in a browser. */
  downloads: Downloads | undefined
  /** Undefined where no request can be sent to others, as in a browser. */
  webhooks: Webhooks | undefined
  /** Where backups of instances can be written. */
  backupStores: BackupStores
  /** Undefined where there is no host, as in a browser. */
  diagnosis: Diagnosis | undefined
  /** Undefined where samples are kept in the database. */
  samples: SampleEngine | undefined
  log: Log
  clock: () => Date
  /** Cryptographically strong bytes. */
  random: (length: number) => Uint8Array<ArrayBuffer>
  /** Cookies carry `Secure` and redirects use https. */
  secure: boolean
  /**
   * Origins whose cookie-carrying writes and upgrades are accepted; others are refused. Empty: the request's
   * own host.
   */
  origins: readonly string[]
}

/** An image that the first start adds. */
export interface FirstImage {
  name: string
  description: string
  os: string
  version: string
  block_size: number
  /** Creates its bytes as a new object of the block store, and returns their number. */
  write: (contentId: string) => Promise<number>
}

export interface Passwords {
  hash: (password: string) => Promise<string>
  verify: (hash: string, password: string) => Promise<boolean>
}

/** One timeseries of an engine, with samples in ascending time, in milliseconds. */
export interface EngineSeries {
  name: string
  labels: Readonly<Record<string, string>>
  times: readonly number[]
  values: readonly number[]
}

/** An existing time-series engine. A failure is logged and thrown. */
export interface SampleEngine {
  write: (series: readonly EngineSeries[]) => Promise<void>
  /** The timeseries of a name with these labels and perhaps others, with their samples in `[from, to)`. */
  read: (wanted: {
    name: string
    labels: Readonly<Record<string, string>>
    from: number
    to: number
    signal?: AbortSignal
  }) => Promise<EngineSeries[]>
}

/** Encryption at rest: with an installation key, a copy of the database alone reveals no secret. */
export interface Seal {
  seal: (secret: string) => Promise<string>
  /** Decrypts; a text stored before there was a key is returned unchanged. */
  open: (sealed: string) => Promise<string>
  /** Whether it is sealed with the current key; if not, the next start reseals it. */
  isCurrent: (text: string) => boolean
}

/** For an installation without a key, and for the preview, whose database ends with the page. */
export const noSeal: Seal = {
  seal: async (secret) => secret,
  open: async (sealed) => sealed,
  isCurrent: () => true,
}

/** Parses TLS certificates and keys; does not evaluate them. */
export interface Certificates {
  /** The certificates of a PEM text in order, or undefined if any cannot be parsed. */
  readChain: (pem: string) => CertificateFacts[] | undefined
}
export interface CertificateFacts {
  subject: string
  issuer: string
  /** Host names and wildcards it is valid for. */
  hosts: readonly string[]
  notBefore: Date
  notAfter: Date
  /** The kind of its key, as people name it: RSA, EC P-256, Ed25519. Empty if unknown. */
  key: string
  /** SHA-256 in hexadecimal. */
  fingerprint: string
  /** Whether it covers the host, directly or by a wildcard. */
  isFor: (host: string) => boolean
  /** Key purposes as object identifiers; undefined if unrestricted. */
  purposes: readonly string[] | undefined
  /** Whether a PEM private key belongs to it; undefined if the key cannot be parsed. */
  hasKey: (pem: string) => boolean | undefined
}

/** The stored data of an identity provider that signing in needs. */
export interface SamlProvider {
  /** Its metadata document. */
  metadata: string
  idp_entity_id: string
  sp_client_id: string
  acs_url: string
  /** RSA key that signs requests, DER or PEM in base64. */
  private_key: string | null
  group_attribute_name: string | null
}

/** A verified statement of an identity provider about a user. */
export interface SamlAssertion {
  id: string
  /** Text of the NameID, which identifies the user. */
  subject: string
  groups: string[]
  /** In document order. */
  attributes: SamlAttribute[]
  /** From then on it would be refused anyway. */
  expires: Date
}

/** SAML and its XML. Refusals are thrown. */
export interface Saml {
  /** Fetches the document at a URL, with the charset that its response names. */
  fetchMetadata: (url: string) => Promise<{ bytes: Uint8Array<ArrayBuffer>; charset: string | undefined }>
  /**
   * Parses a document; refuses one that could not be used to sign in. Of several providers in it, the one of that entity
   * id counts.
   */
  readMetadata: (metadata: string, idp_entity_id: string | undefined) => Promise<SamlMetadata>
  /** Refuses a key that does not match the certificate; both are DER in base64. */
  checkKeyPair: (pair: { public_cert: string; private_key: string }) => void
  /** The URL at which a browser signs in. */
  signInUrl: (provider: SamlProvider, relayState: string | undefined) => Promise<string>
  /** Verifies and parses a response in the base64 that a browser posts; unsigned parts are ignored. */
  readResponse: (provider: SamlProvider, response: string, now: Date) => Promise<SamlAssertion>
}

/** The browser's response, in base64url. */
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
/** The issued challenge, and the origin and domain that the browser must confirm. */
export interface WebAuthnExpected {
  challenge: string
  origin: string
  rp_id: string
}
/** The stored part of a passkey. */
export interface KnownPasskey {
  credential_id: string
  public_key: string
  sign_count: number
}

/** WebAuthn and its CBOR. Rejections are thrown, with the reason for the log. */
export interface WebAuthn {
  readRegistration: (made: MadePasskey, expected: WebAuthnExpected) => Promise<KnownPasskey>
  /** Returns the passkey's signature counter. */
  readAssertion: (used: UsedPasskey, expected: WebAuthnExpected, known: KnownPasskey) => Promise<number>
}

/** A signed request, ready to send. */
export interface WebhookRequest {
  url: string
  headers: Readonly<Record<string, string | readonly string[]>>
  body: string
}
/** The outcome of one request. `reason` is a sentence for the operator. */
export type WebhookOutcome =
  | { kind: 'answered'; status: number; body: string }
  | { kind: 'unreachable' | 'timeout'; reason: string }

/** Sends requests to receivers: never to an address that the operator does not allow, and without redirects. */
export interface Webhooks {
  post: (request: WebhookRequest, signal?: AbortSignal) => Promise<WebhookOutcome>
}

/** Facts about the process and its host, for support bundles. */
export interface Diagnosis {
  versions: Readonly<Record<string, string>>
  /** Results of the host's checks, without names and addresses. */
  checks: () => Promise<Record<string, unknown>>
  /** The newest records of this process's log, oldest first, as JSON. */
  logged: () => readonly string[]
}

export interface Log {
  info: (fields: Record<string, unknown>, message: string) => void
  warn: (fields: Record<string, unknown>, message: string) => void
  error: (fields: Record<string, unknown>, message: string) => void
}

/** The other end of a connection, as the transport knows it. */
export interface Peer {
  address: string
  /** The path as sent by the client; in the request's URL, dot segments are resolved. */
  path?: string | undefined
  /** Resolves once the response was sent or never will be: until then, it holds memory. Without it, that is at once. */
  sent?: Promise<void>
}

/** One end of an open WebSocket, with what Node and the browser have in common. */
export interface ByteSocket {
  /** A binary frame. */
  send: (bytes: Uint8Array) => void
  close: (code: number, reason: string) => void
  /** Receives binary frames; the transport drops text frames. */
  onBytes: (listener: (bytes: Uint8Array) => void) => void
  onClose: (listener: () => void) => void
  /** Bytes sent but not yet taken by the network: the console stops producing above a limit. */
  buffered: () => number
}

/** A certificate that a silo stores for its own host name. Immutable. */
export interface SiloCertificate {
  id: string
  host: string
  /** The chain and its private key, both PEM; undefined if deleted meanwhile. */
  read: () => Promise<{ cert: string; key: string } | undefined>
}

/** A running control plane, for its host process. */
export interface ControlPlane {
  /** Brings the schema and the seals of secrets up to date; safe to run concurrently in several processes. */
  migrate: () => Promise<void>
  /** Fills an empty database; `false` if it was not empty. */
  seed: (kind: SeedKind, password: string) => Promise<boolean>
  /** Handles one API request (every path of the contract, and its descriptions). Never throws. */
  fetch: (request: Request, peer: Peer) => Promise<Response>
  /** Handles a WebSocket upgrade: returns a response that refuses it, or a handler for the open socket. */
  upgrade: (request: Request, peer: Peer) => Promise<Response | ((socket: ByteSocket) => void)>
  /** Whether a path belongs to the API rather than to the console's pages. */
  serves: (method: string, pathname: string) => boolean
  /** TLS certificates of silos, newest first. */
  certificates: () => Promise<SiloCertificate[]>
  /** Starts jobs, reconcilers and the publisher of changes. */
  start: () => void
  /** Starts only what change streams need, in a process beside others that do the rest. */
  startStreams: () => void
  /** Runs a background loop at once; for tests, which move the clock. */
  wake: (loop: string) => void
  /** Ends streams, lets current work finish, and closes the database. */
  stop: () => Promise<void>
}

/**
 * `playground`: fleet, silo `demo` with its users, images and a project. `demo`: the playground plus an
 * operator's world around it. `recovery`: fleet and recovery silo only.
 */
export type SeedKind = 'demo' | 'playground' | 'recovery'
