import { createHash } from 'node:crypto'
import { DatabaseUnreachable } from '@gantry/control-plane/db/unreachable'
import type { PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient, QueryResult } from 'pg'
import { commitWasRollback, isConnectionLost } from './database-error.ts'

/** A prepared statement costs the server memory on every connection, so rare ones beyond this stay unnamed. */
const MAX_NAMED_STATEMENTS = 500

/** What Kysely calls on a client, with statements named so that the server parses and plans them once. */
interface NamedClient extends PostgresPoolClient {
  whenReleased: () => void
}

/** Connections with named statements, and the knowledge of when nobody holds or awaits one. */
export function preparedPool(pool: Pool): {
  connect: () => Promise<PostgresPoolClient>
  idle: () => Promise<void>
} {
  const connect = prepared(pool)
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

function prepared(pool: Pool): () => Promise<NamedClient> {
  // Kysely keeps its own state per client object, so each client is wrapped once.
  const wrapped = new WeakMap<PoolClient, NamedClient>()
  const names = new Map<string, string>()
  return async () => {
    const client = await pool.connect().catch((error: unknown) => {
      throw isConnectionLost(error) ? new DatabaseUnreachable('no connection', { cause: error }) : error
    })
    const named = wrapped.get(client) ?? nameStatements(client, names)
    wrapped.set(client, named)
    return named
  }
}

function nameStatements(client: PoolClient, names: Map<string, string>): NamedClient {
  let isSpoiled = false
  // One that breaks between two statements of a transaction has nobody else who listens, which would end the process.
  // The next statement fails by it, and the pool replaces it.
  client.on('error', () => {})
  const query = async (sql: string, parameters: readonly unknown[]): Promise<QueryResult> => {
    const name = nameOf(sql, parameters, names)
    try {
      const result = await client.query({ ...(name ? { name } : {}), text: sql, values: [...parameters] })
      if (sql === 'commit' && result.command === 'ROLLBACK') throw commitWasRollback()
      return result
    } catch (error) {
      if (isConnectionLost(error)) throw new DatabaseUnreachable('the connection was lost', { cause: error })
      // A plan that a migration made invalid stays so: the connection is replaced, and its plans with it.
      if ((error as Error).message.includes('cached plan must not change result type')) isSpoiled = true
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
