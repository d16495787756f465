import { Problem } from '../backup/problem.ts'

/** How a shell reports that a key press ended something. */
const INTERRUPTED = 130

/** Longer messages are those that repeat what they are about. */
const MESSAGE_LENGTH = 200

/** Node would print every field of an error, and those of a database hold rows. */
function bugReport(error: unknown): string {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '))
  const [first = ''] = message.split('\n')
  return [`This is a bug: ${name}: ${first.slice(0, MESSAGE_LENGTH)}`, ...frames].join('\n')
}

/** Runs work that a signal ends in good order. What a person can do something about ends the process with 1. */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const ending = new AbortController()
  const end = (): void => ending.abort()
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
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
    process.off('SIGINT', end)
    process.off('SIGTERM', end)
  }
}
