import { jsonLog } from '../log.ts'
import type { ServeOptions } from './commands/serve.ts'
import type { Program } from './program.ts'
import { serve, StartProblem } from './serve.ts'

/** A stop that takes longer is broken, and whoever supervises the process would soon kill it anyway. */
const STOP_DEADLINE_MS = 9000
/** The terminal signals the whole group, npm passes on what it gets, and both mean the same key. */
const SAME_SIGNAL_MS = 300

/** Serves until it is told to stop: 0 after a stop that was asked for, 1 for what went wrong. */
export async function runServer(program: Program, options: ServeOptions): Promise<void> {
  const log = jsonLog(options.logLevel)
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
      // Asked twice: whoever asks does not want to wait. Under npm one Ctrl-C arrives twice, though.
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
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // Started by a parent that holds a channel to it, the server does not outlive that parent.
  if (process.connected) process.once('disconnect', () => stop('SIGTERM'))

  const onFatal = (error: Error): void => die(error, 'the database is gone')
  try {
    await serve(
      options,
      { ...program, log, onFatal, print: (text) => void process.stdout.write(text) },
      closers,
    )
  } catch (error) {
    // Whatever fails in the middle of a stop, fails because of it.
    if (stoppingSince !== undefined) return
    if (!(error instanceof StartProblem)) return die(error, 'the start failed')
    process.stderr.write(`gantry: ${error.message}\n`)
    await closeAll(closers).catch(() => {})
    process.exit(1)
  }
}

/** In the order of the list, each though the one before failed: what comes last is the lock of the data. */
async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const close of closers) await close().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw new AggregateError(errors, 'not everything could be closed')
}
