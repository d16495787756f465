import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { WebSocket } from 'ws'
import { findChromium } from '../../e2e/support/chromium.mjs'

interface Message {
  id?: number
  result?: unknown
  error?: { message: string }
}

/**
 * Chromium spoken to in its own protocol. A test library turns on domains that cost processor time in the page:
 * for one, the network domain wants the stack of each request, for which the engine parses whole chunks again.
 */
export class Devtools {
  readonly #waiting = new Map<number, (answer: Message) => void>()
  #last = 0

  private constructor(
    private readonly socket: WebSocket,
    private readonly profile: string,
    private readonly exited: Promise<void>,
  ) {
    socket.on('message', (data: Buffer) => {
      const answer = JSON.parse(data.toString()) as Message
      if (answer.id === undefined) return
      this.#waiting.get(answer.id)?.(answer)
      this.#waiting.delete(answer.id)
    })
  }

  static async start(): Promise<Devtools> {
    const { executablePath, args } = await findChromium()
    const profile = mkdtempSync(path.join(tmpdir(), 'gantry-bench-browser-'))
    const browser = spawn(
      executablePath,
      [...args, '--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    const exited = new Promise<void>((resolve) => void browser.once('exit', () => resolve()))
    const address = await new Promise<string>((resolve, reject) => {
      let text = ''
      browser.stderr.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        const found = /^DevTools listening on (\S+)/m.exec(text)?.[1]
        if (found) resolve(found)
      })
      browser.once('error', reject)
      browser.once('exit', () => reject(new Error(`Chromium ended: ${text}`)))
    })
    const socket = new WebSocket(address, { perMessageDeflate: false })
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    return new Devtools(socket, profile, exited)
  }

  /** @param sessionId The session of a page; without one, the browser itself answers. */
  ask<Result>(method: string, params: object = {}, sessionId?: string): Promise<Result> {
    const id = (this.#last += 1)
    const answered = new Promise<Result>((resolve, reject) =>
      this.#waiting.set(id, ({ result, error }) =>
        error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result as Result),
      ),
    )
    this.socket.send(JSON.stringify({ id, method, params, sessionId }))
    return answered
  }

  async close(): Promise<void> {
    await this.ask('Browser.close')
    await this.exited
    // Its other processes may still write for a moment.
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}
