import { jsonLog, keepNewest } from '../log.ts'
import { Problem } from '../problem.ts'
import { endingSignals } from './interrupt.ts'
import type { ServeOptions } from './serve-options.ts'
import type { Program } from './program.ts'
import { serve } from './serve.ts'

/** A longer stop is broken, and a supervisor would soon kill the process anyway. */
const STOP_DEADLINE_MS = 9000
/**
 * The terminal signals the whole process group and npm forwards its own signal, so one key press arrives
 * twice.
 */
const SAME_SIGNAL_MS = 300

/** Serves until a stop is requested. Exit codes: 0 after a requested stop, 1 after a failure. */
export async function runServer(program: Program, options: ServeOptions): Promise<void> {
  const records = keepNewest()
  const log = jsonLog(options.logLevel, records)
  const closers: (() => Promise<void>)[] = []
  let stoppingSince: number | undefined

  const die = (err: unknown, message: string): void => {
    log.fatal({ err }, message)
    process.exit(1)
  }
  process.on('uncaughtException', (error) => die(error, 'an error that nobody handled'))
  process.on('unhandledRejection', (error) => die(error, 'a rejection that nobody handled'))

  const stop = (signal: NodeJS.Signals): void => {
    if (stoppingSince !== undefined) {
      // A second request means that the operator does not want to wait. Under npm, one Ctrl-C arrives twice.
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    log.info({ signal }, 'stopping')
    setTimeout(() => die(new Error('the stop took too long'), 'gave up waiting'), STOP_DEADLINE_MS).unref()
    void closeAll(closers).then(
      () => {
        log.info({}, 'stopped')
        process.exit(0)
      },
      (error: unknown) => die(error, 'the stop failed'),
    )
  }
  for (const signal of endingSignals) process.on(signal, stop)
  // A server with a channel to its parent must not outlive it.
  if (process.connected) process.once('disconnect', () => stop('SIGTERM'))

  const onFatal = (error: Error): void => die(error, 'the database is gone')
  try {
    await serve(
      options,
      { ...program, log, logged: records.kept, onFatal, print: (text) => void process.stdout.write(text) },
      closers,
    )
  } catch (error) {
    // Failures during a stop are consequences of it.
    if (stoppingSince !== undefined) return
    if (!(error instanceof Problem)) return die(error, 'the start failed')
    process.stderr.write(`gantry: ${error.message}\n`)
    await closeAll(closers).catch(() => {})
    process.exit(1)
  }
}

/** In list order, even after a failure: the last one releases the data lock. */
async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const close of closers) await close().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw new AggregateError(errors, 'not everything could be closed')
}
