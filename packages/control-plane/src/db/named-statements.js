import { protocol } from '@electric-sql/pglite'
import { isPlannedEachTime } from './planned-each-time.js'

/**
 * A named statement costs the database about 30 kB for a join with its plan (`pg_backend_memory_contexts`), so beyond
 * these, about 9 MB, the least recently used one is closed.
 */
const MAX_NAMED_STATEMENTS = 300

const { serialize } = protocol

/**
 * JavaScript rather than TypeScript because the server's database thread loads it too, and Node 20 runs a worker's
 * file without a build.
 * @import { PGlite } from '@electric-sql/pglite'
 * @typedef {Pick<PGlite, 'query' | 'exec' | 'execProtocolStream' | 'runExclusive' | 'serializers' | 'parsers'>} Cluster
 * @typedef {{ rows: Record<string, unknown>[], command: string | undefined, rowCount: number | undefined }} Result
 * @typedef {{ name: string, types: number[], fields: { name: string, dataTypeID: number }[] }} Prepared
 */

/**
 * Runs statements with parameters by name: the database parses and plans them once, and then runs them by one
 * message instead of six. Statements without parameters are transaction control and migrations, which gain
 * nothing from names.
 * @param {Cluster} cluster
 * @returns {(text: string, parameters: readonly unknown[]) => Promise<Result>}
 */
export function namedStatements(cluster) {
  /** By text, the least recently used first. */
  const known = /** @type {Map<string, Prepared>} */ (new Map())
  let lastNumber = 0
  let hasAltered = false

  /**
   * The answers to messages that are sent together, ended by the one after which the database takes the next.
   * @param {Uint8Array[]} messages
   */
  const send = (...messages) =>
    cluster.runExclusive(() => cluster.execProtocolStream(joined([...messages, serialize.sync()]), {}))

  /**
   * A named statement fails for good once its columns differ, as after a migration or its rollback.
   * @param {string | undefined} command
   */
  async function forgetAltered(command) {
    const alters = /^(CREATE|ALTER|DROP)$/.test(command ?? '')
    if (alters || (hasAltered && command === 'ROLLBACK')) {
      known.clear()
      await cluster.exec('deallocate all')
    }
    hasAltered = (hasAltered || alters) && command !== 'COMMIT'
  }

  /**
   * @param {string} text
   * @param {string} name Without one, the next such statement replaces it.
   */
  async function prepare(text, name) {
    const answers = await send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }))
    const prepared = /** @type {Prepared} */ ({ name, types: [], fields: [] })
    for (const answer of answers) {
      if (answer.name === 'parameterDescription') prepared.types = /** @type {any} */ (answer).dataTypeIDs
      if (answer.name === 'rowDescription') prepared.fields = /** @type {any} */ (answer).fields
    }
    return prepared
  }

  /** @param {string} text */
  async function named(text) {
    const prepared = known.get(text) ?? (await prepare(text, `s${(lastNumber += 1)}`))
    known.delete(text)
    known.set(text, prepared)
    const [oldest] = known.size > MAX_NAMED_STATEMENTS ? known.entries() : []
    if (oldest) {
      known.delete(oldest[0])
      const { name } = oldest[1]
      await send(serialize.close({ type: 'S', name }))
    }
    return prepared
  }

  return async (text, parameters) => {
    if (parameters.length === 0) {
      const result = await cluster.query(text)
      await forgetAltered(result.command)
      return /** @type {Result} */ (result)
    }
    const { name, types, fields } = await (isPlannedEachTime(text) ? prepare(text, '') : named(text))
    const values = parameters.map((value, index) => textOf(cluster, value, types[index] ?? 0))
    const answers = await send(serialize.bind({ statement: name, values }), serialize.execute({}))
    const rows = []
    let done = ''
    for (const answer of answers) {
      if (answer.name === 'dataRow') rows.push(rowOf(cluster, fields, /** @type {any} */ (answer).fields))
      if (answer.name === 'commandComplete') done = /** @type {any} */ (answer).text
    }
    return { rows, ...commandOf(done) }
  }
}

/**
 * @param {Cluster} cluster
 * @param {unknown} value
 * @param {number} type
 */
function textOf(cluster, value, type) {
  if (value === null || value === undefined) return null
  const serializer = cluster.serializers[type]
  if (serializer) return serializer(value)
  // Other types, such as a uuid, are passed as their text or a number.
  const plain = /** @type {string | number} */ (value)
  return String(plain)
}

/**
 * @param {Cluster} cluster
 * @param {Prepared['fields']} fields
 * @param {(string | null)[]} texts
 */
function rowOf({ parsers }, fields, texts) {
  const row = /** @type {Record<string, unknown>} */ ({})
  for (const [index, { name, dataTypeID }] of fields.entries()) {
    const text = texts[index] ?? null
    const parser = parsers[dataTypeID]
    row[name] = text !== null && parser ? parser(text, dataTypeID) : text
  }
  return row
}

/**
 * The command and its number of rows: `UPDATE 3`, `INSERT 0 1`.
 * @param {string} tag
 */
function commandOf(tag) {
  const [, command, count] = /^(\w+)(?:.* (\d+))?$/.exec(tag) ?? []
  return { command, rowCount: count === undefined ? undefined : Number(count) }
}

/** @param {readonly Uint8Array[]} messages */
function joined(messages) {
  const all = new Uint8Array(messages.reduce((length, message) => length + message.length, 0))
  let at = 0
  for (const message of messages) {
    all.set(message, at)
    at += message.length
  }
  return all
}
