import { createHash } from 'node:crypto'
import { isPlannedEachTime } from '@gantry/control-plane/db/planned-each-time.js'
import { DatabaseUnreachable } from '@gantry/control-plane/db/unreachable'
import type { PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import { commitWasRollback, isConnectionLost, isTooSlow } from './database-error.ts'

/**
 * A prepared statement costs the server memory on every connection, so rare ones beyond this stay unnamed.
 */
const MAX_NAMED_STATEMENTS = 500

/**
 * The server ends a statement at its limit; a paused server does not respond, so the client stops waiting
 * soon after.
 */
const GRACE_MS = 5000
/** How long a server that has been silent may take to prove that it responds. */
const PROOF_MS = 2000

/** The package's types omit that a query may have its own time limit. */
export interface TimedQuery extends QueryConfig {
  query_timeout?: number
}

/** Time limit of statements; 0 means none. */
export interface Limits {
  statementMs: number
}

/** The client interface that Kysely uses, with named statements that the server parses and plans once. */
interface NamedClient extends PostgresPoolClient {
  whenReleased: () => void
}

/** A pool with named statements that knows when no connection is held or awaited. */
export function preparedPool(
  pool: Pool,
  limits: Limits,
): {
  connect: () => Promise<PostgresPoolClient>
  idle: () => Promise<void>
} {
  const connect = prepared(pool, limits)
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

function prepared(pool: Pool, limits: Limits): () => Promise<NamedClient> {
  // Kysely keeps state per client object, so each client is wrapped once.
  const wrapped = new WeakMap<PoolClient, NamedClient>()
  const names = new Map<string, string>()
  /**
   * After a silence every connection proves itself first, so that requests do not each wait for the full
   * limit.
   */
  const silence = { isSuspected: false }
  const limited = new WeakMap<PoolClient, number>()

  const prepare = async (client: PoolClient): Promise<void> => {
    const { statementMs } = limits
    const isLimited = (limited.get(client) ?? 0) === statementMs
    if (isLimited && !silence.isSuspected) return
    const proof: TimedQuery = { text: `set statement_timeout = ${statementMs}`, query_timeout: PROOF_MS }
    await client.query(proof)
    limited.set(client, statementMs)
    silence.isSuspected = false
  }
  return async () => {
    const client = await pool.connect().catch((error: unknown) => {
      throw isConnectionLost(error) ? new DatabaseUnreachable('no connection', { cause: error }) : error
    })
    await prepare(client).catch((error: unknown) => {
      client.release(true)
      throw isConnectionLost(error) ? new DatabaseUnreachable('no answer', { cause: error }) : error
    })
    const named = wrapped.get(client) ?? nameStatements(client, names, limits, silence)
    wrapped.set(client, named)
    return named
  }
}

function nameStatements(
  client: PoolClient,
  names: Map<string, string>,
  limits: Limits,
  silence: { isSuspected: boolean },
): NamedClient {
  let isSpoiled = false
  let lost: DatabaseUnreachable | undefined
  // A connection that breaks between two statements of a transaction has no other listener, which would end
  // the process. The next statement fails with it, and the pool replaces it.
  client.on('error', () => {})
  const query = async (sql: string, parameters: readonly unknown[]): Promise<QueryResult> => {
    // The rest of a transaction, including its rollback, would never be answered.
    if (lost) throw lost
    const name = nameOf(sql, parameters, names)
    const asked: TimedQuery = {
      ...(name ? { name } : {}),
      ...(limits.statementMs === 0 ? {} : { query_timeout: limits.statementMs + GRACE_MS }),
      text: sql,
      values: [...parameters],
    }
    try {
      const result = await client.query(asked)
      if (sql === 'commit' && result.command === 'ROLLBACK') throw commitWasRollback()
      return result
    } catch (error) {
      if (isTooSlow(error)) throw new DatabaseUnreachable('a statement took too long', { cause: error })
      if (isConnectionLost(error)) {
        silence.isSuspected = true
        lost = new DatabaseUnreachable('the connection was lost', { cause: error })
        throw lost
      }
      // A plan invalidated by a migration stays invalid: the connection is replaced, together with its plans.
      if ((error as Error).message.includes('cached plan must not change result type')) isSpoiled = true
      throw error
    }
  }
  const named: NamedClient = {
    // The dialect uses the other form of `query` only for cursors, which it never opens.
    query: query as unknown as NamedClient['query'],
    whenReleased: () => {},
    release() {
      client.release(isSpoiled || lost !== undefined)
      named.whenReleased()
    },
  }
  return named
}

/** Statements without parameters are transaction control and migrations, which gain nothing from names. */
function nameOf(sql: string, parameters: readonly unknown[], names: Map<string, string>): string | undefined {
  const known = names.get(sql)
  if (known || parameters.length === 0 || names.size >= MAX_NAMED_STATEMENTS) return known
  if (isPlannedEachTime(sql)) return undefined
  const name = createHash('sha1').update(sql).digest('base64url')
  names.set(sql, name)
  return name
}
