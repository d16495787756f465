import { Problem } from '../problem.ts'

/** The shell's exit code for an interrupted process. */
const INTERRUPTED = 130

/** SIGHUP is what a closed terminal sends. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Longer messages usually repeat their input. */
const MESSAGE_LENGTH = 200

/** Node would print every field of an error, and database errors contain rows. */
function bugReport(error: unknown): string {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '))
  const [first = ''] = message.split('\n')
  return [`This is a bug: ${name}: ${first.slice(0, MESSAGE_LENGTH)}`, ...frames].join('\n')
}

/**
 * Runs work that a signal ends in good order. A failure that the operator can fix ends the process with 1.
 */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const ending = new AbortController()
  const end = (): void => ending.abort()
  for (const signal of endingSignals) process.on(signal, end)
  try {
    await work(ending.signal)
  } catch (error) {
    if (ending.signal.aborted) {
      process.stderr.write('gantry: Interrupted. Nothing was kept.\n')
      process.exitCode = INTERRUPTED
    } else if (error instanceof Problem) {
      process.stderr.write(`gantry: ${error.message}\n`)
      process.exitCode = 1
    } else {
      process.stderr.write(`gantry: ${bugReport(error)}\n`)
      process.exitCode = 1
    }
  } finally {
    for (const signal of endingSignals) process.off(signal, end)
  }
}
