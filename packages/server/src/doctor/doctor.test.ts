import fs from 'node:fs/promises'
import net from 'node:net'
import { once } from 'node:events'
import path from 'node:path'
import type { ControlPlane } from '@gantry/control-plane/environment'
import { defaultSettings } from '@gantry/control-plane/settings'
import { knownMigrations } from '@gantry/control-plane/db/migrate'
import { testControlPlane } from '@gantry/control-plane/testing/control-plane'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { intoOf, markUnfinished } from '../backup/unfinished-restore.ts'
import { lockDataDir } from '../database/data-dir-lock.ts'
import { startGate } from '../cli/start-gate.ts'
import { streamOnly } from '../cli/stream-only.ts'
import { serveHttp } from '../http/server.ts'
import { controlPlaneOn } from '../testing/backups.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { temporaryPostgres } from '../testing/temporary-postgres.ts'
import { clockSkew, databaseChecks, migrationState, newestRecord } from './database-checks.ts'
import {
  ballastState,
  dataDirLock,
  dataDirOwner,
  dataDirWritable,
  inodesOf,
  restoreState,
  reserveState,
  spaceOf,
} from './data-dir-checks.ts'
import { examine } from './doctor.ts'
import { ecKey, expiredCertificate, rsaKey, serverCertificate } from '../testing/certificates.ts'
import { certificateChecks } from './certificate-checks.ts'
import { namesServed, portState, type Reached, reachability } from './network-checks.ts'
import { nodeVersion, programFiles } from './program-checks.ts'

const GiB = 1024 ** 3
const states = (findings: { check: string; state: string }[]) =>
  Object.fromEntries(findings.map(({ check, state }) => [check, state]))

describe('the program', () => {
  test.each([
    ['18.20.0', 'problem'],
    ['20.18.3', 'problem'],
    ['20.19.0', 'warning'],
    ['22.17.1', 'warning'],
    ['22.18.0', 'ok'],
    ['24.0.0', 'ok'],
  ])('Node %s: %s', (version, state) => expect(nodeVersion(version)).toMatchObject({ state }))

  test('with a missing file', async () => {
    const folder = await temporaryFolder()
    const file = path.join(folder, 'index.html')
    await fs.writeFile(file, '')
    await expect(programFiles([file])).resolves.toMatchObject({ state: 'ok' })
    await expect(programFiles([file, `${file}.gz`])).resolves.toMatchObject({
      state: 'problem',
      message: `missing or unreadable: ${file}.gz`,
    })
  })
})

const nobody = { check: 'lock', state: 'ok', message: 'nobody works on the data directory' }

describe('the data directory', () => {
  test.each([
    [0o700, 'ok'],
    [0o750, 'warning'],
    [0o777, 'warning'],
  ])('with mode %o: %s', async (mode, state) => {
    const folder = await temporaryFolder()
    await fs.chmod(folder, mode)
    await expect(dataDirOwner(folder, process.getuid?.())).resolves.toMatchObject({ state })
  })

  test('of another user, not existing yet, and not a folder', async () => {
    const folder = await temporaryFolder()
    await fs.chmod(folder, 0o700)
    const other = (process.getuid?.() ?? 0) + 1
    await expect(dataDirOwner(folder, other)).resolves.toMatchObject({
      state: 'problem',
      advice: `Run as its owner, or hand it over: chown -R ${other} ${folder}`,
    })
    await expect(dataDirOwner(path.join(folder, 'none'), other)).resolves.toMatchObject({ state: 'ok' })
    await fs.writeFile(path.join(folder, 'file'), '')
    await expect(dataDirOwner(path.join(folder, 'file'), other)).resolves.toMatchObject({ state: 'problem' })
  })

  test('that is writable, and one that is not', async () => {
    const folder = await temporaryFolder()
    await expect(dataDirWritable(path.join(folder, 'not', 'yet'))).resolves.toMatchObject({ state: 'ok' })
    expect(await fs.readdir(folder)).toEqual([])
    // A file in place of a folder fails for everyone, even root.
    await fs.writeFile(path.join(folder, 'file'), '')
    await expect(dataDirWritable(path.join(folder, 'file'))).resolves.toMatchObject({ state: 'problem' })
  })

  test.each([
    [100 * GiB, 500 * GiB, 'ok'],
    [3 * GiB, 500 * GiB, 'warning'],
    [1 * GiB, 4 * GiB, 'warning'],
    [0.2 * GiB, 500 * GiB, 'problem'],
    [0, 0, 'problem'],
  ])('with %d bytes free of %d: %s', (free, total, state) => {
    expect(spaceOf(free, total)).toMatchObject({ state })
  })

  test.each([
    [3 * GiB, 1 * GiB, 'ok'],
    [1 * GiB, 1 * GiB, 'warning'],
  ])('with %d bytes free and %d reserved: %s', (free, reserve, state) => {
    expect(reserveState(free, reserve)).toMatchObject({ state })
  })

  test('with an embedded database and no ballast', async () => {
    const folder = await temporaryFolder()
    await expect(ballastState(folder)).resolves.toMatchObject({ state: 'ok' })
    await fs.mkdir(path.join(folder, 'database'))
    await expect(ballastState(folder)).resolves.toMatchObject({ state: 'warning' })
    await fs.writeFile(path.join(folder, 'ballast'), '')
    await expect(ballastState(folder)).resolves.toMatchObject({ state: 'ok' })
  })

  test.each([
    [50, 100, 'ok'],
    [4, 100, 'warning'],
    [0, 100, 'problem'],
    [0, 0, 'ok'],
  ])('with %d inodes free of %d: %s', (free, total, state) => {
    expect(inodesOf(free, total)).toMatchObject({ state })
  })

  test('with a lock, without one, and with a stale one', async () => {
    const folder = await temporaryFolder()
    await expect(dataDirLock(folder)).resolves.toEqual(nobody)
    const lock = await lockDataDir(folder)
    await expect(dataDirLock(folder)).resolves.toMatchObject({
      state: 'ok',
      message: expect.stringContaining(`process ${process.pid} `),
    })
    await lock.release()
    await fs.writeFile(path.join(folder, 'lock-1-left.sock'), '')
    await expect(dataDirLock(folder)).resolves.toEqual(nobody)
    // The check changes nothing.
    expect(await fs.readdir(folder)).toEqual(['lock-1-left.sock'])
  })

  test('with a silent lock holder', async () => {
    const folder = await temporaryFolder()
    const silent = net.createServer(() => {}).listen(path.join(folder, 'lock-77-silent.sock'))
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    await expect(dataDirLock(folder)).resolves.toMatchObject({
      state: 'warning',
      advice: expect.stringContaining('kill 77'),
    })
  })

  test('with an unfinished restore', async () => {
    const dataDir = await temporaryFolder()
    await expect(restoreState(dataDir, { dataDir })).resolves.toMatchObject({ state: 'ok' })
    await markUnfinished(dataDir, { id: 'a', file: '/b.tgz', into: intoOf({ dataDir }) })
    await expect(restoreState(dataDir, { dataDir })).resolves.toMatchObject({ state: 'problem' })
    const lock = await lockDataDir(dataDir)
    await expect(restoreState(dataDir, { dataDir })).resolves.toMatchObject({ advice: 'Wait until it ends.' })
    await lock.release()
    await fs.mkdir(path.join(dataDir, 'database'))
    await expect(restoreState(dataDir, { dataDir })).resolves.toMatchObject({ state: 'ok' })
  })

  test('with a restore into a database that cannot be reached', async () => {
    const dataDir = await temporaryFolder()
    const place = { url: 'postgres://nobody@127.0.0.1:1/none' }
    await markUnfinished(dataDir, { id: 'a', file: '/b.tgz', into: intoOf(place) })
    await expect(restoreState(dataDir, place)).resolves.toMatchObject({
      state: 'problem',
      message: expect.stringContaining('is complete cannot be seen'),
      advice: 'See that the database can be reached, and run gantry doctor again.',
    })
  })
})

describe('the database', () => {
  test.each([
    [[...knownMigrations], 'ok'],
    [[], 'ok'],
    [knownMigrations.slice(0, 2), 'warning'],
    [[...knownMigrations, '9999-later'], 'problem'],
  ])('with the migrations %j: %s', (applied, state) =>
    expect(migrationState(applied)).toMatchObject({ state }),
  )

  test.each([
    [0, 'ok'],
    [-999, 'ok'],
    [-1000, 'warning'],
    [6000, 'problem'],
  ])('with a clock %d ms off: %s', (ms, state) => expect(clockSkew(ms)).toMatchObject({ state }))

  test.each([
    [null, 'ok'],
    ['2026-01-01T00:00:00Z', 'ok'],
    ['2026-01-01T00:01:00Z', 'problem'],
  ])('with a newest record of %s: %s', (newest, state) => {
    const now = new Date('2026-01-01T00:00:01Z')
    expect(newestRecord(newest === null ? null : new Date(newest), now)).toMatchObject({ state })
  })

  test('that does not respond', async () => {
    await expect(
      databaseChecks({ url: 'postgres://u:hunter2@127.0.0.1:1/x' }, [], 'simulated'),
    ).resolves.toEqual([
      expect.objectContaining({
        check: 'database',
        state: 'problem',
        message: expect.stringMatching(/^No database server answers at 127\.0\.0\.1:1\.(?!.*hunter2)/),
      }),
    ])
  })
})

describe('the network', () => {
  test('with a free port, and a taken one', async () => {
    const taken = net.createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as net.AddressInfo
    await expect(portState({ host: '127.0.0.1', port })).resolves.toMatchObject({ state: 'problem' })
    taken.close()
    await once(taken, 'close')
    await expect(portState({ host: '127.0.0.1', port })).resolves.toMatchObject({ state: 'ok' })
  })

  test.each([
    ['that is still starting', () => startGate()],
    ['for the stream of changes', (plane: ControlPlane) => streamOnly(plane)],
  ])('with the port of a server %s', async (_, handledBy) => {
    const bed = await testControlPlane()
    onTestFinished(bed.stop)
    const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
    const { port, stop } = await serveHttp(handledBy(bed.plane), {
      host: '127.0.0.1',
      port: 0,
      consoleDir: await temporaryFolder(),
      origins: [],
      dnsZone: 'cloud.example',
      secure: false,
      trustProxy: false,
      limits: defaultSettings.http,
      log,
    })
    onTestFinished(() => stop(0))
    await expect(portState({ host: '127.0.0.1', port })).resolves.toMatchObject({ state: 'ok' })
  })

  const head = 'HTTP/1.1 200 OK\r\n\r\n'
  test.each<[string, (socket: net.Socket) => void, string]>([
    ['nothing', () => {}, 'problem'],
    ['the beginning of an answer', (socket) => socket.write(head), 'problem'],
    ['the description of its API', (socket) => socket.end(`${head}{"info":{"title":"Gantry API"}}`), 'ok'],
  ])('with a port where a program sends %s', async (_, answer, state) => {
    const taken = net.createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => answer(socket))
    })
    taken.listen(0, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const { port } = taken.address() as net.AddressInfo
    await expect(portState({ host: '127.0.0.1', port })).resolves.toMatchObject({ state })
  })

  const local: Reached = { host: '127.0.0.1', port: 1, origins: [], secure: false, trustProxy: false }
  const proxied = { ...local, origins: ['https://a.example'], secure: true, trustProxy: true }
  const tls = { certFile: 'cert.pem', keyFile: 'key.pem' }
  test.each<[string, Reached, string]>([
    ['only for this machine', local, 'ok'],
    ['behind a proxy', proxied, 'ok'],
    ['behind a proxy that is not believed', { ...proxied, trustProxy: false }, 'warning'],
    ['without https', { ...local, host: '0.0.0.0' }, 'warning'],
    ['by an origin without https', { ...local, origins: ['http://a.example'] }, 'warning'],
    ['around its proxy', { ...proxied, host: '0.0.0.0' }, 'warning'],
    ['by TLS of its own', { ...proxied, host: '0.0.0.0', trustProxy: false, tls }, 'ok'],
  ])('reached %s', (_, reached, state) => expect(reachability(reached)).toMatchObject({ state }))

  test.each([
    ['127.0.0.1', [], 'ok'],
    ['0.0.0.0', [], 'warning'],
    ['127.evil.example', [], 'warning'],
    ['0.0.0.0', ['https://gantry.example'], 'ok'],
  ])('names, listening on %s as %j', (host, origins, state) =>
    expect(namesServed({ host, origins })).toMatchObject({ state }),
  )
})

describe('the certificate', () => {
  const looked = async (cert: string, key: string, origins: string[], now = '2026-11-22') => {
    const folder = await temporaryFolder()
    const files = { certFile: path.join(folder, 'cert.pem'), keyFile: path.join(folder, 'key.pem') }
    await fs.writeFile(files.certFile, cert)
    await fs.writeFile(files.keyFile, key)
    return certificateChecks(files, origins, new Date(now))
  }
  const here = ['https://acme.sys.example:8443']

  test.each([
    ['is good', serverCertificate, ecKey, here, undefined, ['ok']],
    ['ends within a month', serverCertificate, ecKey, here, '2126-10-01', ['warning']],
    ['ends later', serverCertificate, ecKey, here, '2126-09-20', ['ok']],
    ['has ended', expiredCertificate, ecKey, here, undefined, ['problem']],
    ['has the key of another', serverCertificate, rsaKey, here, undefined, ['problem']],
    ['is for others', serverCertificate, ecKey, ['https://gantry.example'], undefined, ['ok', 'warning']],
    ['names no address', serverCertificate, ecKey, ['https://[::1]:1'], undefined, ['ok', 'warning']],
    ['is invalid', 'hello', ecKey, here, undefined, ['problem']],
  ])('that %s', async (_, cert, key, origins, now, found) => {
    expect((await looked(cert, key, origins, now)).map(({ state }) => state)).toEqual(found)
  })

  test('that is missing', async () => {
    const files = { certFile: '/nowhere/cert.pem', keyFile: '/nowhere/key.pem' }
    expect(await certificateChecks(files, [], new Date())).toMatchObject([
      { state: 'problem', message: expect.stringContaining('/nowhere/cert.pem cannot be read (ENOENT)') },
    ])
  })
})

const postgres = await temporaryPostgres()
const here = 'missing' in postgres ? undefined : postgres
afterAll(() => here?.stop())

describe.skipIf(!here)('all checks', { timeout: 120_000 }, () => {
  const asked = {
    host: '127.0.0.1',
    port: 0,
    origins: [],
    secure: false,
    trustProxy: false,
    files: [],
    settings: defaultSettings,
    keys: [],
    fleet: 'simulated' as const,
  }

  test('on a database created by a server, and on an empty one', async () => {
    const dataDir = await temporaryFolder()
    await fs.chmod(dataDir, 0o700)
    const database = (await here?.newDatabase()) ?? ''
    expect(states(await examine({ ...asked, dataDir, database }))).toMatchObject({
      database: 'ok',
      schema: 'ok',
    })
    await (await controlPlaneOn({ dataDir, database })).stop()
    const findings = await examine({ ...asked, dataDir, database })
    expect(findings.filter(({ state }) => state === 'problem')).toEqual([])
    expect(states(findings)).toMatchObject({
      database: 'ok',
      schema: 'ok',
      clock: 'ok',
      'newest record': 'ok',
      'database fleet': 'ok',
    })
    expect(await fs.readdir(dataDir)).toEqual(['blocks'])
  })

  test('on the database of another fleet', async () => {
    const dataDir = await temporaryFolder()
    const database = (await here?.newDatabase()) ?? ''
    await (await controlPlaneOn({ dataDir, database })).stop()
    const found = async () =>
      (await examine({ ...asked, dataDir, database, fleet: 'qemu' })).find(
        ({ check }) => check === 'database fleet',
      )
    const message = expect.stringMatching(
      /belong to the fleet simulated, and this is the fleet qemu of a new host\.$/,
    )
    expect(await found()).toMatchObject({ state: 'problem', message })
    await fs.mkdir(path.join(dataDir, 'fleet'))
    await fs.writeFile(path.join(dataDir, 'fleet', 'host'), 'b5d1c9f0\n')
    expect(await found()).toMatchObject({ message: expect.stringMatching(/qemu of b5d1c9f0\.$/) })
  })

  test('on nothing', async () => {
    const dataDir = path.join(await temporaryFolder(), 'none')
    const findings = await examine({ ...asked, dataDir, database: undefined })
    expect(states(findings)).toMatchObject({ 'data directory': 'ok', database: 'ok', port: 'ok' })
    // It creates nothing.
    await expect(fs.access(dataDir)).rejects.toThrow('ENOENT')
  })
})
