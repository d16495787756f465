import { passwordProblem } from '@gantry/api/people/password.rules'
import { logLevels, type LogLevel } from '../log.ts'
import type { CertificateFiles } from '../tls/certificate-files.ts'

/** An error in the command line, as a sentence. */
export class Mistake extends Error {}

export type Env = Readonly<Record<string, string | undefined>>

export function portOf(flag: string, text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new Mistake(`${flag} takes a number from 0 to 65535, and ${JSON.stringify(text)} is none.`)
}

export function filled(flag: string, text: string): string {
  if (text.trim() !== '') return text
  throw new Mistake(`${flag} must not be empty: give it a value, or leave it out.`)
}

export const dataDirOf = (text: string | undefined, env: Env): string =>
  filled('--data-dir', text ?? env['GANTRY_DATA_DIR'] ?? './data')

/** A message never repeats the password in a database URL. */
export function databaseOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  const isPostgres = URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)
  if (isPostgres) return text
  throw new Mistake('--database takes an address like postgres://user:password@host:5432/name.')
}

/** The message may be read by others, so it does not repeat the password. */
export function demoPasswordOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  const problem = passwordProblem(text, ['recovery', 'member', 'viewer'])
  if (problem === undefined) return text
  throw new Mistake(
    `GANTRY_DEMO_PASSWORD cannot be used: ${problem}. Choose another, or leave it out: the first start then makes one.`,
  )
}

export function zoneOf(text: string): string {
  const labels = text.split('.')
  if (labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label))) return text
  throw new Mistake(`--dns-zone takes a name like cloud.example, and ${JSON.stringify(text)} is none.`)
}

export function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (isOrigin) return url.origin
  throw new Mistake(
    `--origin takes an address like https://gantry.example, and ${JSON.stringify(text)} is none.`,
  )
}

export function certificateFilesOf(
  certFile: string | undefined,
  keyFile: string | undefined,
): CertificateFiles | undefined {
  if (!certFile && !keyFile) return undefined
  if (certFile && keyFile) return { certFile, keyFile }
  throw new Mistake('--tls-cert and --tls-key belong together: give the certificate and its private key.')
}

/** `stream`: only the change stream, beside processes that serve everything. */
const roles = ['all', 'stream'] as const
export type Role = (typeof roles)[number]

export function roleOf(text: string, database: string | undefined): Role {
  const role = roles.find((known) => known === text)
  if (!role)
    throw new Mistake(`--role takes one of ${roles.join(', ')}, and ${JSON.stringify(text)} is none.`)
  if (role === 'stream' && database === undefined)
    throw new Mistake('--role stream takes --database: the embedded database serves one process only.')
  return role
}

/** The fleet that runs instances. */
const fleets = ['simulated', 'qemu'] as const
export type FleetName = (typeof fleets)[number]

export function fleetOf(text: string, role: Role): FleetName {
  const fleet = fleets.find((known) => known === text)
  if (!fleet)
    throw new Mistake(`--fleet takes one of ${fleets.join(', ')}, and ${JSON.stringify(text)} is none.`)
  if (fleet === 'qemu' && role === 'stream')
    throw new Mistake('--fleet qemu is served by one process: leave --role stream out.')
  return fleet
}

export function logLevelOf(text: string): LogLevel {
  const level = logLevels.find((known) => known === text)
  if (level) return level
  throw new Mistake(`GANTRY_LOG takes one of ${logLevels.join(', ')}, and ${JSON.stringify(text)} is none.`)
}
