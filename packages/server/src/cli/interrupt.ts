import { Problem } from '../backup/problem.ts'

/** How a shell reports that a key press ended something. */
const INTERRUPTED = 130

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
    } else throw error
  } finally {
    process.off('SIGINT', end)
    process.off('SIGTERM', end)
  }
}
