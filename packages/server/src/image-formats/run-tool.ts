import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { OutOfSpace } from '@gantry/control-plane/blocks/block-store'
import { boundedOutput } from '../bounded-output.ts'
import { type Confined, confinedCommand } from './confined-command.ts'

/** The maximum of a tool's output that is kept. */
const OUTPUT_MAX = 1024 * 1024
const ERRORS_MAX = 2000

/** A tool failed, because of the file unless `why` says otherwise. */
export class ToolFailed extends Error {
  constructor(
    message: string,
    readonly why: 'file' | 'memory' | 'time' | 'size' | 'host',
    /** Its exit code, unless a signal ended it. */
    readonly code?: number,
  ) {
    super(message)
  }
}

export interface Run {
  signal: AbortSignal
  /** Its standard input. */
  stdin?: Readable
  /** Takes its output piece by piece; otherwise it is returned. The next piece waits for it. */
  onOutput?: (piece: Buffer) => Promise<void> | void
}

/** Runs a confined program, which ends with the signal and with this process. */
export async function runTool(confined: Confined, { signal, stdin, onOutput }: Run): Promise<string> {
  signal.throwIfAborted()
  const [command = '', ...args] = await confinedCommand(confined)
  const child = spawn(command, args, {
    stdio: 'pipe',
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
  })
  const kill = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  const ended = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.on('error', (cause) => reject(new Error(`${command} could not be run`, { cause })))
    child.on('close', (code, name) => resolve(name ?? code ?? 0))
  })
  // Awaited below, after its output.
  ended.catch(() => {})
  const errors = boundedOutput(ERRORS_MAX)
  child.stderr.on('data', errors.take)
  // The exit code of a program that ends early gives the reason.
  child.stdin.on('error', () => {})
  if (stdin) stdin.on('error', kill).pipe(child.stdin)
  else child.stdin.end()
  const output = boundedOutput(OUTPUT_MAX)
  const take: Required<Run>['onOutput'] = onOutput ?? output.take
  try {
    for await (const piece of child.stdout) await take(piece as Buffer)
    const end = await ended
    signal.throwIfAborted()
    if (stdin?.errored) throw stdin.errored
    if (end !== 0) throw failure(end, errors.text().trim(), confined.program)
    return output.text().trim()
  } finally {
    signal.removeEventListener('abort', kill)
    stdin?.destroy()
    kill()
    await ended.catch(() => {})
  }
}

/** How bwrap reports that a signal ended the program. */
const endedBy: Readonly<Record<number, ToolFailed['why']>> = {
  // SIGTRAP and SIGABRT: out of memory.
  [128 + 5]: 'memory',
  [128 + 6]: 'memory',
  [128 + 24]: 'time',
  [128 + 25]: 'size',
  // SIGKILL, by the host.
  [128 + 9]: 'host',
}

function failure(end: number | NodeJS.Signals, said: string, program: string): Error {
  if (/no space left on device|disk quota exceeded/i.test(said))
    return new OutOfSpace('the file system is full')
  const message = `${program} ended with ${end}: ${said}`
  if (typeof end === 'string' || /^(?:bwrap|prlimit|nice): /m.test(said))
    return new ToolFailed(message, 'host')
  if (/cannot allocate memory|out of memory/i.test(said)) return new ToolFailed(message, 'memory')
  if (/file too large/i.test(said)) return new ToolFailed(message, 'size')
  return new ToolFailed(said, endedBy[end] ?? 'file', end)
}
