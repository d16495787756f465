import http from 'node:http'
import https from 'node:https'

const everyMs = 50
/** So many others may be sent before one is answered; whoever waits longer was held up. */
const mostBehind = 100

/** Somebody else, who asks at an even pace whether the server is there, however long each answer takes. */
export class Pings {
  answered = 0
  /** Most that were waiting for an answer at one time. */
  mostWaiting = 0
  readonly faults: string[] = []
  readonly #agent: http.Agent
  readonly #waiting = new Set<Promise<void>>()
  readonly #timer: NodeJS.Timeout

  constructor(
    private readonly port: number,
    /** What is asked; a page of somebody who is signed in also needs the database. */
    private readonly asked: https.RequestOptions = { path: '/v1/ping' },
  ) {
    this.#agent = new this.#protocol.Agent({ keepAlive: true })
    this.#timer = setInterval(() => this.#send(), everyMs)
  }

  /** Sends one more, and waits until it and all before it are answered; how many were, since the last time. */
  async settle(): Promise<number> {
    const before = this.#settled
    this.#send()
    await Promise.all(this.#waiting)
    this.#settled = this.answered
    return this.answered - before
  }
  #settled = 0

  get #protocol(): typeof http | typeof https {
    return this.asked.protocol === 'https:' ? https : http
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#agent.destroy()
  }

  #send(): void {
    const ping = this.#ask().finally(() => this.#waiting.delete(ping))
    this.#waiting.add(ping)
    this.mostWaiting = Math.max(this.mostWaiting, this.#waiting.size)
    if (this.#waiting.size === mostBehind) this.faults.push(`${mostBehind} pings waited at the same time`)
  }

  #ask(): Promise<void> {
    return new Promise((resolve) => {
      const fail = (why: string): void => {
        this.faults.push(why)
        resolve()
      }
      const { port, asked } = this
      this.#protocol
        .get({ port, host: '127.0.0.1', ...asked, agent: this.#agent }, (response) => {
          response.resume().on('end', () => {
            if (response.statusCode !== 200) return fail(`a ping was answered with ${response.statusCode}`)
            this.answered++
            resolve()
          })
        })
        .on('error', (error) => fail(`a ping failed: ${error.message}`))
    })
  }
}
