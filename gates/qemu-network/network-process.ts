import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import type { NetworkCall, NetworkProcessOptions } from '../../packages/server/src/testing/network-process.ts'

/** A process with the networks of a host, which can be killed at any moment. */
export interface NetworkProcess {
  /** Rejects with what the driver says, or when the process has ended. */
  call: (call: NetworkCall) => Promise<unknown>
  kill: () => Promise<void>
  child: ChildProcess
}

/** `as` are words before the command, for example to run it as another user. */
export async function startNetworks(
  file: string,
  options: NetworkProcessOptions,
  as: readonly string[] = [],
): Promise<NetworkProcess> {
  const [program, ...args] = [...as, process.execPath, file, JSON.stringify(options)]
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', (piece: Buffer) => (said += piece.toString('utf8')))
  child.stdin.on('error', () => {})
  const ended = once(child, 'close').then(() => {
    throw new Error(`the process has ended: ${said}`)
  })
  ended.catch(() => {})
  const lines = new EventEmitter()
  let begun = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    const parts = `${begun}${piece}`.split('\n')
    // A line that a killed process has not completed is none.
    begun = parts.pop() ?? ''
    for (const line of parts) lines.emit('line', line)
  })
  const next = async (): Promise<unknown> => {
    const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string]
    const { answer, error, cause } = JSON.parse(line) as { answer?: unknown; error?: string; cause?: string }
    if (error !== undefined) throw new Error(`${error} (${cause})`)
    return answer
  }
  await next()
  return {
    child,
    call: (call) => {
      child.stdin.write(`${JSON.stringify(call)}\n`)
      return next()
    },
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'close')
    },
  }
}
