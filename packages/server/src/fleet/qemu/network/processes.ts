import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { HostCommandFailed, hostEnvironment } from '../host-command.ts'

/** A daemon that is not ready by then has failed. */
const READY_MS = 10_000
const END_MS = 3000

export interface FoundProcess {
  pid: number
  words: readonly string[]
}

/** Running processes with a word in their command line that satisfies `is`. */
export async function findProcesses(is: (word: string) => boolean): Promise<FoundProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(
    pids.map(async (pid) => {
      // One that ends meanwhile, and one that belongs to the kernel, has no command line.
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return { pid, words: line.split('\0') }
    }),
  )
  return found.filter(({ words }) => words.some(is))
}

/** Ends processes; by force if they do not comply. Only ones just found by `findProcesses` may be given. */
export async function endProcesses(found: readonly FoundProcess[]): Promise<void> {
  await Promise.all(
    found.map(async ({ pid, words }) => {
      const isThere = async () =>
        (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) === words.join('\0')
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        signalTo(pid, signal)
        const deadline = Date.now() + END_MS
        while (Date.now() < deadline) {
          // The command line of a process is gone before its parent has taken notice of its end.
          if (!(await isThere())) return
          await sleep(5)
        }
      }
    }),
  )
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * Starts a program that outlives this process, and waits until it is ready. Its input is the whole of `input`; what
 * it says until then is part of the error if it ends.
 */
export async function startDaemon(
  [program = '', ...args]: readonly string[],
  { input = '', isReady }: { input?: string; isReady: (pid: number) => Promise<boolean> },
): Promise<number> {
  const child = spawn(program, args, {
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: hostEnvironment(),
  })
  const end: { said: string; how?: string } = { said: '' }
  child.stderr.on('data', (piece: Buffer) => {
    end.said = `${end.said}${piece.toString('utf8')}`.slice(-2000)
  })
  child.on('error', ({ message }) => (end.how = `could not be run: ${message}`))
  child.on('close', (code, signal) => (end.how ??= signal ? `was ended by ${signal}` : `ended with ${code}`))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const deadline = Date.now() + READY_MS
  while (end.how === undefined && Date.now() < deadline) {
    if (child.pid !== undefined && (await isReady(child.pid))) {
      child.removeAllListeners()
      child.on('error', () => {})
      child.stderr.destroy()
      child.unref()
      return child.pid
    }
    await sleep(5)
  }
  if (end.how === undefined) child.kill('SIGKILL')
  const name = [program, ...args].join(' ').slice(0, 300)
  throw new HostCommandFailed(`${name} ${end.how ?? 'was not ready in time'}: ${end.said.trim()}`)
}
