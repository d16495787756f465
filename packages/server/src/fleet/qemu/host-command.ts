import { spawn } from 'node:child_process'

/** No command of the host takes this long unless it hangs. */
const DEADLINE_MS = 30_000
/** Output beyond it is cut off: nothing that is read is longer. */
const OUTPUT_MAX = 4 * 1024 * 1024
const ERROR_MAX = 2000

/** A command of the host that failed, with what it said. */
export class HostCommandFailed extends Error {}

export interface HostCommand {
  /** What it reads from its standard input. */
  input?: string
  deadlineMs?: number
}

/** Runs a program of the host without a shell, and returns its output. */
export function hostCommand(
  [program = '', ...args]: readonly string[],
  { input = '', deadlineMs = DEADLINE_MS }: HostCommand = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: deadlineMs,
      killSignal: 'SIGKILL',
    })
    const [output, errors] = [bounded(OUTPUT_MAX), bounded(ERROR_MAX)]
    child.stdout.on('data', output.take)
    child.stderr.on('data', errors.take)
    child.on('error', (cause) =>
      reject(new HostCommandFailed(`${program} could not be run: ${cause.message}`, { cause })),
    )
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(output.text())
      const end = signal ? `was ended by ${signal}` : `ended with ${code}`
      reject(
        new HostCommandFailed(
          `${[program, ...args].join(' ').slice(0, 300)} ${end}: ${errors.text().trim()}`,
        ),
      )
    })
    // A program that ends without reading its input says so by its exit code.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

function bounded(max: number) {
  const pieces: Buffer[] = []
  let length = 0
  return {
    take: (piece: Buffer): void => {
      if (length < max) pieces.push(piece.subarray(0, max - length))
      length += piece.length
    },
    text: (): string => Buffer.concat(pieces).toString('utf8'),
  }
}
