import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { HostCommandFailed, hostEnvironment } from '../host/host-command.ts'
import { endProcess, identityOf, isRunning, runningProcesses, signalTo } from '../host/processes.ts'

/** The deadline for a daemon to be ready. */
const READY_MS = 10_000
const END_MS = 3000

export interface FoundProcess {
  pid: number
  words: readonly string[]
}

/** Running processes with a word in their command line that satisfies `is`. */
export async function findProcesses(is: (word: string) => boolean): Promise<FoundProcess[]> {
  const found: FoundProcess[] = []
  for await (const one of runningProcesses()) if (one.words.some(is)) found.push(one)
  return found
}

/** Ends processes, by force if they do not comply. They must come from a recent `findProcesses`. */
export async function endProcesses(found: readonly FoundProcess[]): Promise<void> {
  await Promise.all(
    found.map(async ({ pid }) => {
      const one = await identityOf(pid)
      if (!one) return
      signalTo(pid, 'SIGTERM')
      for (const deadline = Date.now() + END_MS; Date.now() < deadline; await sleep(5))
        if (!(await isRunning(one))) return
      await endProcess(one)
    }),
  )
}

/**
 * Starts a program that outlives this process, and waits until it is ready. `input` is its standard input; if it ends
 * first, the error includes its output.
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
