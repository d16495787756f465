import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Outcome } from './gantry.ts'

export const builtGantry = fileURLToPath(new URL('../../packages/server/dist/gantry.js', import.meta.url))

export interface Started {
  child: ChildProcess
  ended: Promise<Outcome>
  /** Waits for output, and returns the first group of the expression. */
  said: (words: RegExp) => Promise<string>
}

/** The commands for a running server, of a user with their own home. `entry` is the program's file. */
export function commandLine(home: string, entry = builtGantry) {
  const start = (...args: readonly string[]): Started => startIn({ XDG_CONFIG_HOME: home }, ...args)
  const startIn = (env: Record<string, string>, ...args: readonly string[]): Started => {
    const child = spawn(process.execPath, [entry, ...args], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
    })
    const output = { out: '', err: '' }
    child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()))
    const ended = new Promise<Outcome>((resolve) => {
      child.once('close', (code) => resolve({ code, ...output }))
    })
    const said = (words: RegExp): Promise<string> =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const [, found] = words.exec(output.out + output.err) ?? []
          if (found !== undefined) resolve(found)
        }
        child.stdout.on('data', look)
        child.stderr.on('data', look)
        child.once('close', () => reject(new Error(`it ended without ${words}: ${output.out}${output.err}`)))
        look()
      })
    return { child, ended, said }
  }
  return {
    start,
    startIn,
    run: (...args: readonly string[]): Promise<Outcome> => start(...args).ended,
  }
}
