import path from 'node:path'
import { isLoopback } from '@gantry/api/base/ip.rules'
import { isDamage } from '@gantry/control-plane/db/damage'
import { NewerDatabase } from '@gantry/control-plane/db/migrate'
import { OtherFleet } from '@gantry/control-plane/fleet/identity'
import type { Settings } from '@gantry/control-plane/settings'
import { type ControlPlane, type Environment, type SeedKind } from '@gantry/control-plane/environment'
import type { Logger } from 'pino'
import { hostBackupStores } from '../backup-stores/backup-stores.ts'
import { fileBlocks } from '../blocks/blocks-files.ts'
import { openDatabase } from '../database/open.ts'
import { demoImage } from '../fleet/qemu/demo-image.ts'
import type { QemuFleet, QemuFleetOptions } from '../fleet/qemu/fleet.ts'
import { guardedDownloads } from '../egress/guarded-downloads.ts'
import { guardedGet } from '../egress/guarded-get.ts'
import { guardedPost } from '../egress/guarded-post.ts'
import { explainDamage } from '../database/pglite/damage.ts'
import { serveRedirects } from '../http/redirect.ts'
import { type HttpServer, type Observe, serveHttp } from '../http/server.ts'
import { hostImageConverter } from '../image-formats/image-converter.ts'
import { prometheusMetrics, type OperationOf } from '../metrics.ts'
import { x509Certificates } from '../certificates.ts'
import { prometheusEngine } from '../time-series/prometheus-engine.ts'
import { serveCertificates, type ServedCertificates } from '../tls/served-certificates.ts'
import { argon2Passwords } from '../passwords.ts'
import { pooledRandom } from '../random.ts'
import { diagnosisOf } from '../diagnosis.ts'
import { nodeSaml } from '../saml/saml.ts'
import { keepBallast } from '../space/ballast.ts'
import { freeSpace } from '../space/free-space.ts'
import { Problem, sentence } from '../problem.ts'
import { fullServer, fullVolume, isFull, isServerFull } from '../space/full-volume.ts'
import { libraryWebAuthn } from '../webauthn/webauthn.ts'
import { needNoUnfinishedRestore } from '../backup/unfinished-restore.ts'
import { aesSeal, CannotOpen } from '../seal/aes-seal.ts'
import type { ServeOptions } from './serve-options.ts'
import { readablePassword } from './password.ts'
import { startGate } from './start-gate.ts'
import { streamOnly } from './stream-only.ts'
import { welcome } from './welcome.ts'

export interface HostAddresses {
  createControlPlane: (environment: Environment) => ControlPlane
  operationOf: OperationOf
  consoleDir: string
  version: string
  log: Logger
  /** The newest records of the log. */
  logged: () => readonly string[]
  /** Called when something has failed permanently: the process must end. */
  onFatal: (error: Error) => void
  print: (text: string) => void
}

/** Time for requests to finish; the whole stop must take less than ten seconds. */
const REQUEST_GRACE_MS = 4000
/** A working server's transaction is never idle this long; only one of a vanished server is. */
const IDLE_IN_TRANSACTION_MS = 30_000

/**
 * Starts everything in order. `closers` grows meanwhile and lists how to stop it, first to last: requests
 * finish while the control plane still answers, and it stops while the database is still open.
 */
export async function serve(
  options: ServeOptions,
  around: HostAddresses,
  closers: (() => Promise<void>)[],
): Promise<void> {
  try {
    await bringUp(options, around, closers)
  } catch (cause) {
    const { dataDir, database } = options
    if (database !== undefined && isServerFull(cause)) throw new Problem(fullServer, { cause })
    if (isFull(cause)) throw new Problem(await fullVolume(path.resolve(dataDir)), { cause })
    if (database !== undefined || !isDamage(cause)) throw cause
    const { message } = explainDamage(path.resolve(dataDir, 'database'), cause as Error)
    throw new Problem(message, { cause })
  }
}

async function bringUp(
  options: ServeOptions,
  around: HostAddresses,
  closers: (() => Promise<void>)[],
): Promise<void> {
  const { log, print } = around
  const { adminPort } = options
  // Without a port they cannot be read, and they wake an idle process a hundred times a second.
  const metrics = adminPort === undefined ? undefined : prometheusMetrics(around.operationOf)
  const gate = startGate()
  const certificates = await servedCertificates(options, around, gate, closers)

  // The port first: otherwise a busy port could keep a first start from showing its new password.
  const http = await listen(options, around, gate, { observe: metrics?.observe, tls: certificates })
  closers.push(() => http.stop(REQUEST_GRACE_MS))
  if (options.httpPort !== undefined) {
    const { settings, httpPort: port } = options
    const redirects = await sentence(
      serveRedirects(gate, { ...options, port, httpsPort: http.port, limits: settings.http, log }),
    )
    closers.push(redirects.stop)
    log.info({ port: redirects.port }, 'redirecting to https')
  }
  if (metrics && adminPort !== undefined) {
    const admin = await sentence(metrics.listen(adminPort))
    closers.push(admin.close)
    log.info({ url: `http://127.0.0.1:${admin.port}/metrics` }, 'serving metrics')
  }

  const { controlPlane, limitStatements } = await openControlPlane(options, around, closers)
  await migrate(controlPlane)
  const kind: SeedKind = options.empty ? 'recovery' : 'demo'
  const password = options.demoPassword ?? readablePassword()
  const isStream = options.role === 'stream'
  // Only processes that serve everything seed the database.
  const isNew = !isStream && (await controlPlane.seed(kind, password))
  // Migrations are not limited in time; requests are.
  limitStatements(options.settings.database.statement_seconds * 1000)
  if (isStream) controlPlane.startStreams()
  else controlPlane.start()
  gate.open(isStream ? streamOnly(controlPlane) : controlPlane)
  await certificates?.look()

  const address = `${options.tls ? 'https' : 'http'}://${shownHost(options.host)}:${http.port}`
  if (isNew) print(welcome(kind, options.origins[0] ?? address, password))
  if (!options.secure && !isLoopback(options.host)) {
    log.warn(
      { host: options.host },
      'passwords and cookies travel unencrypted: serve https with --tls-cert, or put it in front and say --secure',
    )
  }
  print(`ready ${address}\n`)
}

/** An old program on a newer database and a missing key are failures that the operator can fix. */
async function migrate(controlPlane: ControlPlane): Promise<void> {
  try {
    await controlPlane.migrate()
  } catch (cause) {
    const isForPeople = [NewerDatabase, OtherFleet, CannotOpen].some((kind) => cause instanceof kind)
    throw isForPeople ? new Problem((cause as Error).message, { cause }) : cause
  }
}

async function openControlPlane(
  options: ServeOptions,
  { createControlPlane, version, log, logged, onFatal }: HostAddresses,
  closers: (() => Promise<void>)[],
): Promise<{ controlPlane: ControlPlane; limitStatements: (ms: number) => void }> {
  const dataDir = path.resolve(options.dataDir)
  const place = options.database === undefined ? { dataDir } : { url: options.database }
  await sentence(needNoUnfinishedRestore(dataDir, place))
  const onConnectionLost = (err: Error): void => log.warn({ err }, 'a database connection was lost')
  const database = await sentence(
    openDatabase(place, {
      onCrash: onFatal,
      onRestart: (err, delayMs) =>
        log.error({ err, delay_ms: delayMs }, 'the embedded database ended and will restart'),
      onConnectionLost,
      idleInTransactionMs: IDLE_IN_TRANSACTION_MS,
    }),
  )
  closers.push(database.close)
  log.info({ kind: database.kind, data_dir: dataDir }, 'database is open')
  if (database.kind === 'pglite') closers.unshift(keepBallast(dataDir, ballastNews(log)).stop)

  const { settings } = options
  const directory = path.join(dataDir, 'blocks')
  const space = freeSpace(dataDir, settings.storage.reserve_bytes)
  const blocks = await sentence(fileBlocks(directory, space))
  const fleet =
    options.fleet === 'qemu' ? await openFleet({ dataDir, blocks, space, log }, settings.fleet) : undefined
  if (fleet) closers.splice(closers.indexOf(database.close), 0, fleet.close)
  const converter = hostImageConverter({ blocks, space, settings: settings.image_conversion, log })
  const { engine } = settings.metrics
  const controlPlane = createControlPlane({
    dialect: database.dialect,
    blocks,
    ...(fleet && { fleet: fleet.fleet, demoImage: () => demoImage({ blocks, converter, log }) }),
    imageConverter: converter,
    passwords: argon2Passwords,
    seal: aesSeal(options.keys),
    settings,
    certificates: x509Certificates,
    dnsZone: options.dnsZone,
    saml: nodeSaml({ get: guardedGet(settings.egress), log }),
    webauthn: libraryWebAuthn,
    downloads: guardedDownloads(settings.image_import),
    webhooks: guardedPost(settings.egress),
    backupStores: hostBackupStores(settings),
    diagnosis: diagnosisOf({ dataDir, version, logged, settings }),
    samples: engine && prometheusEngine(engine, log),
    log,
    clock: () => new Date(),
    random: pooledRandom(),
    secure: options.secure,
    origins: options.origins,
  })
  closers.splice(closers.indexOf(fleet?.close ?? database.close), 0, controlPlane.stop)
  return { controlPlane, limitStatements: database.limitStatements }
}

/** Loaded when it is needed: the simulated rack needs none of it. */
async function openFleet(
  options: QemuFleetOptions,
  { external_interface: externalInterface }: Settings['fleet'],
): Promise<QemuFleet> {
  const { openQemuFleet } = await import('../fleet/qemu/fleet.ts')
  const { QemuNetworks } = await import('../fleet/qemu/network/networks.ts')
  const { networkProblem } = await import('../fleet/qemu/network/requirements.ts')
  const { missingForFleet } = await import('../fleet/qemu/host/missing-programs.ts')
  const missing = await missingForFleet({ asUser: process.getuid?.() !== 0, externalInterface })
  if (missing) throw new Problem(`No machine can run on this host: ${missing.message}. ${missing.advice}`)
  // A host that cannot have networks is reported in the words of the doctor.
  const explained = async (cause: unknown): Promise<never> => {
    const found = await networkProblem({ asUser: process.getuid?.() !== 0, externalInterface })
    throw found ? new Error(`The networks do not start: ${found.message}. ${found.advice}`, { cause }) : cause
  }
  return sentence(
    openQemuFleet({
      ...options,
      openNetworks: (where) =>
        QemuNetworks.open({ ...where, externalInterface, log: options.log }).catch(explained),
    }),
  )
}

/** The certificates for https, if this process serves it. Those of silos follow once the database is open. */
async function servedCertificates(
  { tls }: ServeOptions,
  { log }: HostAddresses,
  { certificates: ofSilos }: Pick<ControlPlane, 'certificates'>,
  closers: (() => Promise<void>)[],
) {
  if (!tls) return undefined
  const served = await sentence(serveCertificates(tls, { log, clock: () => new Date(), ofSilos }))
  closers.push(served.close)
  return served
}

const ballastNews = (log: Logger): Parameters<typeof keepBallast>[1] => ({
  onReleased: () =>
    log.error({}, 'the volume is full, and the ballast of the data directory was released: make room on it'),
  onMade: () => log.info({}, 'the ballast of the data directory was created'),
})

function listen(
  options: ServeOptions,
  { consoleDir, log }: HostAddresses,
  handled: Parameters<typeof serveHttp>[0],
  more: { observe: Observe | undefined; tls: ServedCertificates | undefined },
): Promise<HttpServer> {
  return sentence(serveHttp(handled, { ...options, ...more, limits: options.settings.http, consoleDir, log }))
}

/** An address that a browser on this host can open. */
function shownHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
