import { browserKeysInWords, canBrowsersUse } from '@gantry/api/people/certificate.rules'
import type { Log, SiloCertificate } from '@gantry/control-plane/environment'
import { type CertificateFiles, readCertificateFiles } from './certificate-files.ts'
import type { ClientHello } from './client-hello.ts'
import { keyOf, type Pair, validityProblem } from './pair.ts'
import { SiloPairs } from './silo-pairs.ts'

/** How soon a renewed file, or a silo's new certificate from any process, takes effect. */
const LOOK_EVERY_MS = 5000

/** The certificates currently used for handshakes. */
export interface ServedCertificates {
  /** For clients that name no host, or one without a certificate of its own. */
  pair: () => Pair
  /** The certificate of the silo whose host the client names. */
  pairFor: (hello: ClientHello) => Pair | undefined
  onChange: (listener: (pair: Pair) => void) => void
}

interface WatchedCertificates extends ServedCertificates {
  /** Checks now, rather than at the next interval. */
  look: () => Promise<void>
  close: () => Promise<void>
}

interface Options {
  log: Log
  clock: () => Date
  /** The silos' certificates; none before the database is open. */
  ofSilos: () => Promise<readonly SiloCertificate[]>
  everyMs?: number
}

/**
 * Reads the files, and keeps checking them and the silos' certificates. An unusable one is not adopted: the
 * previous certificate stays in use, and the log says why.
 */
export async function serveCertificates(
  files: CertificateFiles,
  { log, clock, ofSilos, everyMs = LOOK_EVERY_MS }: Options,
): Promise<WatchedCertificates> {
  let pair = await readCertificateFiles(files, clock())
  if (!isForBrowsers(pair)) log.warn({ file: files.certFile }, unusableByBrowsers(pair))
  const silos = new SiloPairs(log)
  const listeners: ((pair: Pair) => void)[] = []
  const failing = new Map<string, { message: string; looks: number }>()

  /** Logs a failure once, and not at its first occurrence: files are renewed one after the other. */
  async function attempt(what: string, look: () => Promise<void>): Promise<void> {
    try {
      await look()
      failing.delete(what)
    } catch (error) {
      const { message } = error as Error
      const before = failing.get(what)
      const looks = before?.message === message ? before.looks + 1 : 1
      failing.set(what, { message, looks })
      if (looks === 2) log.warn({ problem: message }, `${what}; the ones before are still served`)
    }
  }

  async function checkFiles(): Promise<void> {
    const found = await readCertificateFiles(files, clock())
    if (found.cert === pair.cert && found.key === pair.key) return
    if (!isForBrowsers(found) && isForBrowsers(pair) && validityProblem(pair, clock()) === undefined)
      throw new Error(unusableByBrowsers(found))
    pair = found
    for (const listener of listeners) listener(pair)
    log.info({ file: files.certFile }, 'a renewed certificate is served')
  }

  async function look(): Promise<void> {
    await attempt('the files of the certificate are of no use', checkFiles)
    await attempt('certificates of silos could not be read', async () => silos.take(await ofSilos(), clock()))
  }

  let looking: Promise<void> | undefined
  const lookOnce = (): Promise<void> => (looking ??= look().finally(() => (looking = undefined)))
  const timer = setInterval(() => void lookOnce(), everyMs).unref()
  return {
    pair: () => pair,
    pairFor: (hello) => silos.for(hello),
    onChange: (listener) => void listeners.push(listener),
    look: lookOnce,
    async close() {
      clearInterval(timer)
      await looking
    },
  }
}

const isForBrowsers = (pair: Pair): boolean => canBrowsersUse(keyOf(pair))

const unusableByBrowsers = (pair: Pair): string =>
  `Browsers cannot use the key of the certificate (${keyOf(pair)}). Use ${browserKeysInWords}.`
