import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { NewerDatabase } from '@gantry/control-plane/db/migrate'
import { type ControlPlane, type Environment, noSeal, type SeedKind } from '@gantry/control-plane/environment'
import type { Logger } from 'pino'
import { fileBlocks } from '../blocks-files.ts'
import { openDatabase } from '../database/open.ts'
import { isLoopback } from '../http/loopback.ts'
import { serveHttp, type HttpServer } from '../http/server.ts'
import { prometheusMetrics, type OperationOf } from '../metrics.ts'
import { x509Certificates } from '../certificates.ts'
import { argon2Passwords } from '../passwords.ts'
import { nodeSaml } from '../saml/saml.ts'
import { libraryWebAuthn } from '../webauthn/webauthn.ts'
import { needNoUnfinishedRestore } from '../backup/unfinished-restore.ts'
import type { ServeOptions } from './commands/serve.ts'
import { readablePassword } from './password.ts'
import { startGate } from './start-gate.ts'
import { welcome } from './welcome.ts'

export interface Surroundings {
  createControlPlane: (environment: Environment) => ControlPlane
  operationOf: OperationOf
  consoleDir: string
  log: Logger
  /** Something broke that nobody can repair: the process must end. */
  onFatal: (error: Error) => void
  print: (text: string) => void
}

/** What a person can do something about, as the sentence that they read. */
export class StartProblem extends Error {}

/** Requests get so long to finish; the whole stop must take less than ten seconds. */
const REQUEST_GRACE_MS = 4000
/** No transaction of a server that works waits so long between two statements; one of a server that is gone does. */
const IDLE_IN_TRANSACTION_MS = 30_000

/**
 * Brings everything up in order. `closers` grows as it goes and says how to take it down, first to last:
 * requests finish while the control plane still answers them, and it stops while the database is still open.
 */
export async function serve(
  options: ServeOptions,
  around: Surroundings,
  closers: (() => Promise<void>)[],
): Promise<void> {
  const { log, print } = around
  const metrics = prometheusMetrics(around.operationOf)
  const gate = startGate()

  // The port first: a first start must not make a password that a busy port then keeps from being shown.
  const http = await listen(options, around, gate, metrics.observe)
  closers.push(() => http.stop(REQUEST_GRACE_MS))
  if (options.adminPort !== undefined) {
    const admin = await problem(metrics.listen(options.adminPort))
    closers.push(admin.close)
    log.info({ url: `http://127.0.0.1:${admin.port}/metrics` }, 'serving metrics')
  }

  const controlPlane = await openControlPlane(options, around, closers)
  await migrate(controlPlane)
  const kind: SeedKind = options.empty ? 'recovery' : 'demo'
  const password = options.demoPassword ?? readablePassword()
  const isNew = await controlPlane.seed(kind, password)
  controlPlane.start()
  gate.open(controlPlane)

  const address = `http://${shownHost(options.host)}:${http.port}`
  if (isNew) print(welcome(kind, options.origins[0] ?? address, password))
  if (!options.secure && !isLoopback(options.host)) {
    log.warn(
      { host: options.host },
      'passwords and cookies travel unencrypted: put https in front, and say --secure',
    )
  }
  print(`ready ${address}\n`)
}

/** Of what can go wrong here, only an old program on a newer database is for a person to mend. */
async function migrate(controlPlane: ControlPlane): Promise<void> {
  try {
    await controlPlane.migrate()
  } catch (cause) {
    throw cause instanceof NewerDatabase ? new StartProblem(cause.message, { cause }) : cause
  }
}

async function openControlPlane(
  options: ServeOptions,
  { createControlPlane, log, onFatal }: Surroundings,
  closers: (() => Promise<void>)[],
): Promise<ControlPlane> {
  const dataDir = path.resolve(options.dataDir)
  const place = options.database === undefined ? { dataDir } : { url: options.database }
  await problem(needNoUnfinishedRestore(dataDir, place))
  const onConnectionLost = (err: Error): void => log.warn({ err }, 'a database connection was lost')
  const database = await problem(
    openDatabase(place, {
      onCrash: onFatal,
      onConnectionLost,
      idleInTransactionMs: IDLE_IN_TRANSACTION_MS,
    }),
  )
  closers.push(database.close)
  log.info({ kind: database.kind, data_dir: dataDir }, 'database is open')

  const controlPlane = createControlPlane({
    dialect: database.dialect,
    blocks: await problem(fileBlocks(path.join(dataDir, 'blocks'))),
    passwords: argon2Passwords,
    seal: noSeal,
    settings: options.settings,
    certificates: x509Certificates,
    dnsZone: options.dnsZone,
    saml: nodeSaml,
    webauthn: libraryWebAuthn,
    log,
    clock: () => new Date(),
    random: (length) => new Uint8Array(randomBytes(length)),
    secure: options.secure,
    origins: options.origins,
  })
  closers.splice(closers.indexOf(database.close), 0, controlPlane.stop)
  return controlPlane
}

function listen(
  options: ServeOptions,
  { consoleDir, log }: Surroundings,
  handled: Parameters<typeof serveHttp>[0],
  observe: ReturnType<typeof prometheusMetrics>['observe'],
): Promise<HttpServer> {
  const { host, port, origins, secure, trustProxy } = options
  return problem(serveHttp(handled, { host, port, consoleDir, origins, secure, trustProxy, log, observe }))
}

/** What these steps throw are sentences for a person; everything else is a bug. */
async function problem<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (cause) {
    throw new StartProblem((cause as Error).message, { cause })
  }
}

/** An address that a browser on this machine can open. */
function shownHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
