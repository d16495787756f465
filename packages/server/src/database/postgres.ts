import { createHash } from 'node:crypto'
import { PostgresDialect, type Dialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { commitWasRollback } from './database-error.ts'
import { parsers } from './values.js'

const MIN_VERSION = 15
const POOL_SIZE = 10
const CONNECT_TIMEOUT_MS = 10_000
/** A prepared statement costs the server memory on every connection, so rare ones beyond this stay unnamed. */
const MAX_NAMED_STATEMENTS = 500

export interface OpenPostgres {
  dialect: Dialect
  close: () => Promise<void>
}

/** Connects once to see that the server is there and new enough; the pool opens the rest as needed. */
export async function openPostgres(url: string, onConnectionLost: (error: Error) => void): Promise<OpenPostgres> {
  const pool = new pg.Pool({
    connectionString: parseUrl(url),
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
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
  const { connect, idle } = counted(prepared(pool))
  let closed: Promise<void> | undefined
  // The pool forgets connections that are still being made when it ends, and their callers would hang.
  const close = (): Promise<void> => (closed ??= idle().then(() => pool.end()))
  return { dialect: new PostgresDialect({ pool: { connect, end: close } }), close }
}

function parseUrl(url: string): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : ''
  if (protocol === 'postgres:' || protocol === 'postgresql:') return url
  throw new Error('The database address must look like postgres://user:password@host:5432/name.')
}

/** Databases that speak PostgreSQL's protocol report an old number of it, so only PostgreSQL's own counts. */
async function checkVersion(pool: pg.Pool): Promise<void> {
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

/** One sentence that says what to do, and never the password. */
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

/** What Kysely calls on a client, with statements named so that the server parses and plans them once. */
interface NamedClient extends PostgresPoolClient {
  whenReleased: () => void
}

/** Knows when nobody holds or awaits a connection. */
function counted(connect: () => Promise<NamedClient>) {
  let open = 0
  let whenIdle = (): void => {}
  const done = (): void => {
    open -= 1
    if (open === 0) whenIdle()
  }
  return {
    async connect(): Promise<NamedClient> {
      open += 1
      try {
        const client = await connect()
        client.whenReleased = done
        return client
      } catch (error) {
        done()
        throw error
      }
    },
    idle: () => new Promise<void>((resolve) => (open === 0 ? resolve() : (whenIdle = resolve))),
  }
}

function prepared(pool: pg.Pool): () => Promise<NamedClient> {
  // Kysely keeps its own state per client object, so each client is wrapped once.
  const wrapped = new WeakMap<pg.PoolClient, NamedClient>()
  const names = new Map<string, string>()
  return async () => {
    const client = await pool.connect()
    const named = wrapped.get(client) ?? nameStatements(client, names)
    wrapped.set(client, named)
    return named
  }
}

function nameStatements(client: pg.PoolClient, names: Map<string, string>): NamedClient {
  let isSpoiled = false
  const query = async (sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult> => {
    const name = nameOf(sql, parameters, names)
    try {
      const result = await client.query({ ...(name ? { name } : {}), text: sql, values: [...parameters] })
      if (sql === 'commit' && result.command === 'ROLLBACK') throw commitWasRollback()
      return result
    } catch (error) {
      // A plan that a migration made invalid stays so: the connection is replaced, and its plans with it.
      if (String((error as Error).message).includes('cached plan must not change result type')) isSpoiled = true
      throw error
    }
  }
  const named: NamedClient = {
    // The dialect's other form of `query` is for cursors, which it is not given.
    query: query as unknown as NamedClient['query'],
    whenReleased: () => {},
    release() {
      client.release(isSpoiled)
      named.whenReleased()
    },
  }
  return named
}

/** Statements without parameters are transaction control and migrations, which gain nothing. */
function nameOf(sql: string, parameters: readonly unknown[], names: Map<string, string>): string | undefined {
  const known = names.get(sql)
  if (known || parameters.length === 0 || names.size >= MAX_NAMED_STATEMENTS) return known
  const name = createHash('sha1').update(sql).digest('base64url')
  names.set(sql, name)
  return name
}

/** The element type of each array type whose elements we read in our own way. */
const arraysOf: Record<number, number> = { 1001: 17, 1016: 20, 1182: 1082, 1115: 1114, 1185: 1184, 1231: 1700 }

/** The package's types describe an older shape of this function. */
const arrayParser = pg.types.arrayParser as unknown as {
  create: (source: string, transform: (entry: string) => unknown) => { parse: () => unknown[] }
}

const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') => {
  const own = parsers[oid]
  if (own) return own
  const element = parsers[arraysOf[oid] ?? 0]
  if (element) return (text: string) => arrayParser.create(text, element).parse()
  return pg.types.getTypeParser(oid, format as 'text')
}
