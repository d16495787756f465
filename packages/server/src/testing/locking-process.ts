/** A process for tests to kill or stop: takes the lock of its first argument, or says why it cannot. */
import { lockDataDir } from '../database/data-dir-lock.ts'

try {
  await lockDataDir(process.argv[2] ?? '')
  process.stdout.write('locked\n')
  setInterval(() => {}, 1000)
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`)
}
