/**
 * The thread that holds the embedded database: one request at a time, in order.
 * @import { Answer, ErrorFields, Question, Rows, WorkerInput } from './messages.ts'
 */
import fs from 'node:fs'
import path from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { namedStatements } from '@gantry/control-plane/db/named-statements.js'
import { openCluster } from './cluster.js'

const port = parentPort
if (!port) throw new Error('pglite-worker runs as a worker thread')

const { directory, ballast, underTest } = /** @type {WorkerInput} */ (workerData)
const SAID_LINES = 20
let fsyncs = 0
let diskFails = false
if (underTest) watchFsyncs()

// Without this check PGlite would create an empty database in place of a missing one.
fs.accessSync(path.join(directory, 'PG_VERSION'))

/** The last lines of the server's log, which explain its end. */
const said = /** @type {string[]} */ ([])
const cluster = await openCluster(directory, {
  ...(ballast === undefined ? {} : { ballast }),
  onSaid: (line) => {
    said.push(line)
    if (said.length > SAID_LINES) said.shift()
  },
}).catch((error) => {
  throw stopped(error)
})

const run = namedStatements(cluster)

/** Answers are never reordered, and a failure that broke the database ends the thread. */
let last = Promise.resolve()
port.on('message', (/** @type {Question} */ question) => {
  last = last.then(() => answer(question))
})
post('ready')

/** @param {Question} question */
async function answer(question) {
  try {
    post({ id: question.id, result: await work(question) })
  } catch (error) {
    if (await isAlive(error)) return post({ id: question.id, error: fieldsOf(error) })
    post({ id: question.id, error: { ...fieldsOf(error), severity: 'PANIC' } })
    const end = stopped(error)
    setImmediate(() => {
      throw end
    })
  }
}

/** @param {Question} question */
async function work(question) {
  switch (question.ask) {
    case 'query':
      return query(question.sql, question.parameters)
    case 'fsyncs':
      return fsyncs
    case 'fail fsyncs':
      diskFails = true
      return undefined
    case 'run out of memory':
      for (const kept = []; ;) kept.push(Array.from({ length: 1_000_000 }).fill(0.5))
    case 'close':
      await cluster.close()
      return undefined
    default:
      throw new Error('the worker was asked something it does not know')
  }
}

/**
 * @param {string} sql
 * @param {readonly unknown[]} parameters
 * @returns {Promise<Rows>}
 */
async function query(sql, parameters) {
  const { rows, command, rowCount } = await run(sql, parameters)
  return { rows, command, count: rowCount }
}

/**
 * An ordinary error has a SQLSTATE and leaves the database usable. Anything else may be a bad parameter, or
 * the end of the wasm instance; only a query can tell, and a dead one must not accept more requests.
 * @param {unknown} error
 */
async function isAlive(error) {
  const { code, severity } = fieldsOf(error)
  if (code && severity === 'ERROR') return true
  // It may still answer a query that touches no file, but it has given up.
  if (severity === 'PANIC' || severity === 'FATAL') return false
  return cluster.exec('').then(
    () => true,
    () => false,
  )
}

/**
 * The end of the database, with the reason from its log.
 * @param {unknown} error
 */
function stopped(error) {
  const reason = said.map((line) => /(?:PANIC|FATAL): +(.*)$/.exec(line)?.[1]).findLast(Boolean)
  const message = reason ?? (error instanceof Error ? error.message : String(error))
  return new Error(`the embedded database has stopped: ${message}`, { cause: error })
}

/**
 * @param {unknown} error
 * @returns {ErrorFields}
 */
function fieldsOf(error) {
  if (!(error instanceof Error)) return { message: String(error) }
  const { message, code, severity, detail, hint, constraint, schema, table, column, position, where } =
    /** @type {ErrorFields} */ (error)
  return { message, code, severity, detail, hint, constraint, schema, table, column, position, where }
}

/** @param {Answer} message */
function post(message) {
  port?.postMessage(message)
}

function watchFsyncs() {
  const real = fs.fsyncSync
  fs.fsyncSync = (descriptor) => {
    if (diskFails) throw new Error('the disk fails, as the test asked')
    real(descriptor)
    fsyncs += 1
  }
}
