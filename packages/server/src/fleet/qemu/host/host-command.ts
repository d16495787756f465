import { spawn } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import type { Readable, Stream, Writable } from 'node:stream'
import { MiB } from '@gantry/api/base/bytes.rules'
import { boundedOutput } from '#src/bounded-output'

/** Only a hanging command takes this long. */
const DEADLINE_MS = 30_000
/** Longer output is truncated; none that is parsed is longer. */
const OUTPUT_MAX = 4 * MiB
const ERROR_MAX = 2000

/** The environment of the host's programs, some of which are outside an ordinary user's path on Debian. */
export const hostEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [process.env['PATH'], '/usr/sbin', '/sbin'].filter(Boolean).join(path.delimiter),
  // Their messages are parsed, here and in logs.
  LC_ALL: 'C.UTF-8',
})

/** A program of the host, with its Debian package. */
export interface HostProgram {
  program: string
  debian: string
}

/** The programs that this host lacks. */
export async function missingPrograms(programs: readonly HostProgram[]): Promise<HostProgram[]> {
  const installed = await Promise.all(programs.map(({ program }) => isInstalled(program)))
  return programs.filter((_, index) => !installed[index])
}

async function isInstalled(program: string): Promise<boolean> {
  const folders = (hostEnvironment()['PATH'] ?? '').split(path.delimiter)
  const found = await Promise.all(
    folders.map((folder) =>
      access(path.join(folder, program), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  )
  return found.includes(true)
}

/** A command of the host failed; the message includes its error output. */
export class HostCommandFailed extends Error {}

export interface HostCommand {
  /** Its standard input. */
  input?: string
  deadlineMs?: number
  /** Receives the output, which is then not returned; throwing ends the program. */
  onOutput?: (piece: Buffer) => void
  /** Open files and sockets that it inherits, numbered from 3. */
  inherits?: readonly (number | Stream)[]
  /** It ends when this process does, even when killed. */
  endsWithThisProcess?: boolean
  /** Aborting it ends the program. */
  signal?: AbortSignal | undefined
}

/** Runs a program of the host without a shell, and returns its output. */
export function hostCommand(words: readonly string[], options: HostCommand = {}): Promise<string> {
  const {
    input = '',
    deadlineMs = DEADLINE_MS,
    onOutput,
    inherits = [],
    endsWithThisProcess,
    signal,
  } = options
  const [program = '', ...args] = endsWithThisProcess ? [...dyingWithParent, ...words] : words
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe', ...inherits],
      env: hostEnvironment(),
      timeout: deadlineMs,
      killSignal: 'SIGKILL',
    })
    const [output, errors] = [boundedOutput(OUTPUT_MAX), boundedOutput(ERROR_MAX)]
    const [stdin, stdout, stderr] = child.stdio as unknown as [Writable, Readable, Readable]
    const take = onOutput ?? ((piece: Buffer): void => output.take(piece))
    stdout.on('data', (piece: Buffer) => {
      try {
        take(piece)
      } catch (error) {
        child.kill('SIGKILL')
        reject(error)
      }
    })
    stderr.on('data', (piece: Buffer) => errors.take(piece))
    child.on('error', (cause) =>
      reject(new HostCommandFailed(`${program} could not be run: ${cause.message}`, { cause })),
    )
    const abort = (): void => void child.kill('SIGKILL')
    signal?.addEventListener('abort', abort)
    child.on('close', (code, killed) => {
      signal?.removeEventListener('abort', abort)
      if (code === 0) return resolve(output.text())
      if (signal?.aborted) return reject(signal.reason as Error)
      const end = killed ? `was ended by ${killed}` : `ended with ${code}`
      reject(new HostCommandFailed(`${words.join(' ').slice(0, 300)} ${end}: ${errors.text().trim()}`))
    })
    // The exit code tells if a program ended without reading its input.
    stdin.on('error', () => {})
    stdin.end(input)
  })
}

/** Words before a command that end it together with this process. */
const dyingWithParent = ['setpriv', '--pdeathsig=KILL', '--']
