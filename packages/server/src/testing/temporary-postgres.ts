import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'

export interface TemporaryPostgres {
  /** Creates a new empty database on the same server. */
  newDatabase: () => Promise<string>
  /** Ends the server like a power cut and restarts it; unavailable on a configured server. */
  crash?: () => Promise<void>
  /** Stops every process of the server, which then neither responds nor closes connections, until resumed. */
  pause?: () => Promise<void>
  resume?: () => Promise<void>
  /** Stops the server and removes its files, or drops the databases created on a configured server. */
  stop: () => Promise<void>
}

const DEBIAN = '/usr/lib/postgresql'
const missing = `no PostgreSQL 15 or newer under ${DEBIAN}, and GANTRY_TEST_POSTGRES is not set`
/** PostgreSQL refuses to run as root; these are the conventional ids of `nobody`. */
const NOBODY = { uid: 65_534, gid: 65_534 }
const START_TIMEOUT_MS = 30_000

export interface PostgresOptions {
  /** Syncs to disk like a production server, so that commits survive a crash. */
  isDurable?: boolean
}

/**
 * A PostgreSQL server for tests: the one named by `GANTRY_TEST_POSTGRES`, or a throw-away cluster from
 * installed packages, or the reason why there is none, which skipped tests print.
 */
export async function temporaryPostgres(
  options: PostgresOptions = {},
): Promise<TemporaryPostgres | { missing: string }> {
  const named = process.env['GANTRY_TEST_POSTGRES']
  if (named) return onServer(named, () => Promise.resolve())
  const bin = await findBinaries()
  return bin ? startCluster(bin, options) : { missing }
}

/** Why `temporaryPostgres` would fail here, if so; starts nothing. */
export async function whyNoPostgres(): Promise<string | undefined> {
  return process.env['GANTRY_TEST_POSTGRES'] || (await findBinaries()) ? undefined : missing
}

async function findBinaries(): Promise<string | undefined> {
  const versions = await fs.readdir(DEBIAN).catch(() => [])
  const newest = versions
    .map(Number)
    .filter((version) => version >= 15)
    .sort((a, b) => b - a)[0]
  return newest === undefined ? undefined : path.join(DEBIAN, String(newest), 'bin')
}

async function startCluster(bin: string, { isDurable }: PostgresOptions): Promise<TemporaryPostgres> {
  const user = process.getuid?.() === 0 ? NOBODY : undefined
  // Not below the caller's own temporary folder, which another user may not enter.
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-postgres-'))
  if (user) await fs.chown(folder, user.uid, user.gid)
  const data = path.join(folder, 'data')
  const env = { ...process.env, LC_ALL: 'C.UTF-8', HOME: folder }
  const initdb = ['-D', data, '-U', 'gantry', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--no-instructions']
  await promisify(execFile)(path.join(bin, 'initdb'), initdb, { ...user, env, cwd: folder })

  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: isDurable ? 'on' : 'off',
    max_connections: '200',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const launch = (): ChildProcess =>
    spawn(path.join(bin, 'postgres'), ['-D', data, '-p', String(port), ...args], {
      ...user,
      env,
      cwd: folder,
      stdio: 'ignore',
    })
  let server = launch()
  const stop = async (): Promise<void> => {
    await stopServer(server)
    await fs.rm(folder, { recursive: true, force: true })
  }
  // A test run that ends early must not leave a server behind.
  process.once('exit', () => server.kill('SIGQUIT'))
  const url = `postgres://gantry@127.0.0.1:${port}/postgres`
  const crash = async (): Promise<void> => {
    await stopServer(server, 'SIGKILL')
    const until = Date.now() + START_TIMEOUT_MS
    for (;;) {
      server = launch()
      try {
        return await untilItAnswers(url, server)
      } catch (error) {
        // Its backend processes take a moment to exit, and block the next server until then.
        if (server.exitCode === null || Date.now() > until) throw error
        await pause(100)
      }
    }
  }
  try {
    await untilItAnswers(url, server)
  } catch (error) {
    await stop()
    throw error
  }
  // The main process first, so that it starts no others meanwhile.
  const signal = async (name: 'SIGSTOP' | 'SIGCONT'): Promise<void> => {
    const { pid = 0 } = server
    process.kill(pid, name)
    const children = await fs.readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
    for (const child of children.split(' ').filter(Boolean)) signalIfThere(Number(child), name)
  }
  return { ...onServer(url, stop), crash, pause: () => signal('SIGSTOP'), resume: () => signal('SIGCONT') }
}

/** A child of the server may have ended since its number was read. */
function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function onServer(url: string, stop: () => Promise<void>): TemporaryPostgres {
  const made: string[] = []
  return {
    async newDatabase() {
      const name = `gantry_test_${process.pid}_${Date.now().toString(36)}_${made.length}`
      await run(url, `create database ${name}`)
      made.push(name)
      return Object.assign(new URL(url), { pathname: `/${name}` }).href
    },
    async stop() {
      for (const name of made) await run(url, `drop database if exists ${name} with (force)`)
      await stop()
    },
  }
}

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  const until = Date.now() + START_TIMEOUT_MS
  for (;;) {
    try {
      return await run(url, 'select 1')
    } catch (error) {
      if (server.exitCode !== null || Date.now() > until) throw error
      await pause(50)
    }
  }
}

/** The default is an immediate shutdown, because its data is discarded. */
async function stopServer(server: ChildProcess, signal: 'SIGQUIT' | 'SIGKILL' = 'SIGQUIT'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill(signal)
  await ended
}

async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as net.AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
