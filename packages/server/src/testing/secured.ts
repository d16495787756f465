import fs from 'node:fs/promises'
import path from 'node:path'
import tls from 'node:tls'
import type { ControlPlane, SiloCertificate } from '@gantry/control-plane/environment'
import { defaultSettings } from '@gantry/control-plane/settings'
import { onTestFinished, vi } from 'vitest'
import { x509Certificates } from '../certificates.ts'
import { serveHttp } from '../http/server.ts'
import { serveCertificates } from '../tls/served-certificates.ts'
import { authority, ecKey, wildcardCertificate } from './certificates.ts'
import { fakeControlPlane } from './fake-control-plane.ts'
import { temporaryFolder } from './temporary-folder.ts'

interface Secured {
  cert?: string
  key?: string
  clock?: () => Date
  limits?: Partial<typeof defaultSettings.http>
  ofSilos?: () => Promise<SiloCertificate[]>
  fetch?: (request: Request) => Promise<Response>
  plane?: ControlPlane
  origins?: string[]
}

/** A TLS server with files that tests rewrite. */
export async function secured({
  cert = wildcardCertificate,
  key = ecKey,
  clock = () => new Date(),
  limits,
  ofSilos = async () => [],
  fetch,
  plane,
  origins = [],
}: Secured = {}) {
  const folder = await temporaryFolder()
  const files = { certFile: path.join(folder, 'cert.pem'), keyFile: path.join(folder, 'key.pem') }
  const rewrite = async (pair: { cert?: string; key?: string }): Promise<void> => {
    if (pair.cert !== undefined) await fs.writeFile(files.certFile, pair.cert)
    if (pair.key !== undefined) await fs.writeFile(files.keyFile, pair.key)
  }
  await rewrite({ cert, key })
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const certificates = await serveCertificates(files, { log, clock, ofSilos, everyMs: 20 })
  await certificates.look()
  onTestFinished(certificates.close)
  const fake = Object.assign(fakeControlPlane(), fetch && { fetch })
  const server = await serveHttp(plane ?? fake, {
    host: '127.0.0.1',
    port: 0,
    consoleDir: folder,
    origins,
    dnsZone: 'example',
    secure: true,
    trustProxy: false,
    tls: certificates,
    limits: { ...defaultSettings.http, ...limits },
    log,
  })
  onTestFinished(() => server.stop(0))
  return { ...server, log, rewrite, seen: fake.seen }
}

/** Performs a handshake as a client that trusts the test authority, and returns the certificate. */
export async function handshake(port: number, options: tls.ConnectionOptions = {}): Promise<tls.TLSSocket> {
  const socket = tls.connect({
    port,
    host: '127.0.0.1',
    ca: authority,
    servername: 'acme.sys.example',
    ...options,
  })
  onTestFinished(() => void socket.destroy())
  await new Promise((resolve, reject) =>
    socket.once('secureConnect', () => resolve(undefined)).once('error', reject),
  )
  return socket
}
export const nameOf = (socket: tls.TLSSocket): string => socket.getPeerCertificate().subjectaltname ?? ''

export const siloCertificate = (
  id: string,
  host: string,
  pair: { cert: string; key: string },
): SiloCertificate => ({
  id,
  host,
  read: async () => pair,
})

/** The signature schemes of browsers. */
const browser =
  'ecdsa_secp256r1_sha256:rsa_pss_rsae_sha256:rsa_pkcs1_sha256:ecdsa_secp384r1_sha384:rsa_pss_rsae_sha384:rsa_pkcs1_sha384:rsa_pss_rsae_sha512:rsa_pkcs1_sha512'
export const asBrowser = { sigalgs: browser, rejectUnauthorized: false } satisfies tls.ConnectionOptions
export const keyIn = (socket: tls.TLSSocket): string =>
  x509Certificates.readChain(pemOf(socket))?.[0]?.key ?? ''
const pemOf = (socket: tls.TLSSocket): string => socket.getPeerX509Certificate()?.toString() ?? ''
