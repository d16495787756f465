import { setTimeout as pause } from 'node:timers/promises'
import { PostgresDialect, type Dialect } from 'kysely'
import { type ClientBase, Pool } from 'pg'
import { type Limits, preparedPool, type TimedQuery } from './postgres-statements.ts'
import { getTypeParser } from './postgres-types.ts'

const MIN_VERSION = 15
const POOL_SIZE = 10
/** A paused server does not acknowledge closing. */
const CLOSE_MS = 2000
const CONNECT_TIMEOUT_MS = 10_000
/** After this silence both ends check whether the other is still there. */
const KEEP_ALIVE_MS = 30_000

export interface OpenPostgres {
  dialect: Dialect
  close: () => Promise<void>
}

/**
 * Connects once to check that the server is reachable and new enough; the pool opens further connections as
 * needed.
 */
export async function openPostgres(
  url: string,
  onConnectionLost: (error: Error) => void,
  idleInTransactionMs: number,
  limits: Limits,
): Promise<OpenPostgres> {
  const pool = new Pool({
    connectionString: parseUrl(url),
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // The pool waits for it, although its type does not say so.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: (client) => setSession(client, idleInTransactionMs),
    application_name: 'gantry',
    types: { getTypeParser },
  })
  // Without a listener, a server restart while a connection idles would end the process.
  pool.on('error', onConnectionLost)

  try {
    await checkVersion(pool)
  } catch (error) {
    await pool.end()
    throw explain(error, url)
  }
  const clients = preparedPool(pool, limits)
  let closed: Promise<void> | undefined
  // At its end the pool drops connections that are still opening, and their callers would hang.
  const close = (): Promise<void> =>
    (closed ??= clients
      .idle()
      .then(() => Promise.race([pool.end(), pause(CLOSE_MS, undefined, { ref: false })])))
  return { dialect: new PostgresDialect({ pool: { connect: clients.connect, end: close } }), close }
}

/**
 * The server does not notice a vanished host, and would keep its transaction and locks for hours. Set by a
 * statement rather than connection parameters, because poolers refuse unknown ones; and only if the setting
 * exists, because compatible servers lack some of them.
 */
async function setSession(client: ClientBase, idleInTransactionMs: number): Promise<void> {
  const text = `
    select set_config(name, value, false) from (values
      ('idle_in_transaction_session_timeout', '${idleInTransactionMs}'),
      ('tcp_keepalives_idle', '${KEEP_ALIVE_MS / 1000}'),
      ('tcp_keepalives_interval', '10'),
      ('tcp_keepalives_count', '3')) as wanted (name, value) join pg_settings using (name)`
  // The pool's own limit ends with the handshake.
  const setting: TimedQuery = { text, query_timeout: CONNECT_TIMEOUT_MS }
  await client.query(setting)
}

function parseUrl(url: string): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : ''
  if (protocol === 'postgres:' || protocol === 'postgresql:') return url
  throw new Error('The database address must look like postgres://user:password@host:5432/name.')
}

/** PostgreSQL-compatible databases report an old version number, so only PostgreSQL's own is checked. */
async function checkVersion(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ version: string; number: string }>(
    `select version() as version, current_setting('server_version_num') as number`,
  )
  const { version = '', number = '0' } = rows[0] ?? {}
  const major = Math.floor(Number(number) / 10_000)
  const isOther = /CockroachDB|-YB-/.test(version)
  if (isOther || major >= MIN_VERSION) return
  throw new TooOld(
    `The database server is PostgreSQL ${major}, and Gantry needs ${MIN_VERSION} or newer. Upgrade the server, ` +
      'or start without --database to use the embedded one.',
  )
}

class TooOld extends Error {}

/** A message with advice, which never contains the password. */
function explain(error: unknown, url: string): Error {
  if (error instanceof TooOld) return error
  const { host, hostname, pathname, username } = new URL(url)
  const cause = error instanceof AggregateError ? error.errors[0] : error
  const { code = '', message } = cause as { code?: string; message: string }
  const database = decodeURIComponent(pathname.slice(1)) || decodeURIComponent(username)
  const sentences: Record<string, string> = {
    ECONNREFUSED: `No database server answers at ${host}. Check the address, and that the server runs.`,
    ENOTFOUND: `The database host ${hostname} is not known. Check the address.`,
    EAI_AGAIN: `The database host ${hostname} could not be looked up. Check the network and its name server.`,
    ETIMEDOUT: `The database server at ${host} does not answer. Check the address and the firewall.`,
    '28P01': `The database server at ${host} refused the password of user ${username}.`,
    '28000': `The database server at ${host} does not let user ${username} in from here.`,
    '3D000': `The database server at ${host} has no database ${database}. Create it first.`,
    '53300': `The database server at ${host} has no free connection. Raise its max_connections.`,
  }
  const timedOut = /timeout/i.test(message) ? sentences['ETIMEDOUT'] : undefined
  const sentence = sentences[code] ?? timedOut ?? `The database at ${host} cannot be opened: ${message}.`
  return new Error(sentence, { cause })
}
