import type { Settings } from '@gantry/control-plane/settings'
import type { LogLevel } from '../log.ts'
import type { SealKey } from '../seal/seal-keys.ts'
import type { CertificateFiles } from '../tls/certificate-files.ts'
import type { FleetName, Role } from './values.ts'

export interface ServeOptions {
  port: number
  host: string
  dataDir: string
  database: string | undefined
  empty: boolean
  role: Role
  fleet: FleetName
  adminPort: number | undefined
  /** The DNS zone of the silos' host names. */
  dnsZone: string
  origins: string[]
  trustProxy: boolean
  secure: boolean
  /** Serves https itself with this certificate. */
  tls: CertificateFiles | undefined
  /** The port that redirects unencrypted requests to https. */
  httpPort: number | undefined
  demoPassword: string | undefined
  logLevel: LogLevel
  settings: Settings
  /** Keys that seal the database's secrets; without any, secrets are stored in clear. */
  keys: readonly SealKey[]
}
