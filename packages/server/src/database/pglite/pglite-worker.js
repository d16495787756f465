/**
 * The thread that holds the embedded database: one question at a time, in the order they came.
 * @import { Answer, ErrorFields, Question, Rows, WorkerInput } from './messages.ts'
 */
import fs from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { openCluster } from './cluster.js'

const port = parentPort
if (!port) throw new Error('pglite-worker runs as a worker thread')

const { directory, underTest } = /** @type {WorkerInput} */ (workerData)
let fsyncs = 0
let diskFails = false
if (underTest) watchFsyncs()

const cluster = await openCluster(directory)

/** Answers never overtake each other, and a failure that broke the database ends the thread. */
let last = Promise.resolve()
port.on('message', (/** @type {Question} */ question) => {
  last = last.then(() => answer(question))
})
tell('ready')

/** @param {Question} question */
async function answer(question) {
  try {
    tell({ id: question.id, result: await work(question) })
  } catch (error) {
    tell({ id: question.id, error: fieldsOf(error) })
    await assertAlive(error)
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
  const result = await cluster.query(sql, [...parameters])
  return {
    rows: /** @type {Rows['rows']} */ (result.rows),
    command: result.command,
    count: result.rowCount,
  }
}

/**
 * An ordinary error has a SQLSTATE and leaves the database well. Anything else may be a bad parameter, or the
 * end of the wasm instance; only asking tells, and a dead one must not go on taking questions.
 * @param {unknown} error
 */
async function assertAlive(error) {
  const { code, severity } = fieldsOf(error)
  if (code && severity === 'ERROR') return
  try {
    await cluster.exec('')
  } catch (cause) {
    const message = error instanceof Error ? error.message : String(error)
    setImmediate(() => {
      throw new Error(`the embedded database has stopped: ${message}`, { cause })
    })
  }
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
function tell(message) {
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
