import http from 'node:http'
import https from 'node:https'

const intervalMs = 50
/** Maximum number of later requests sent before one is answered; beyond that it was blocked. */
const maxBehind = 100

/** Another user, who pings the server at a steady rate, regardless of responses. */
export class Pings {
  answered = 0
  /** Maximum number of pending requests. */
  maxWaiting = 0
  readonly faults: string[] = []
  readonly #agent: http.Agent
  readonly #waiting = new Set<Promise<void>>()
  readonly #timer: NodeJS.Timeout

  constructor(
    private readonly port: number,
    /** The request; a page of a signed-in user also needs the database. */
    private readonly asked: https.RequestOptions = { path: '/v1/ping' },
  ) {
    this.#agent = new this.#protocol.Agent({ keepAlive: true })
    this.#timer = setInterval(() => this.#send(), intervalMs)
  }

  /**
   * Sends one more, and waits for it and all earlier ones; returns how many were answered since the last
   * call.
   */
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
    this.maxWaiting = Math.max(this.maxWaiting, this.#waiting.size)
    if (this.#waiting.size === maxBehind) this.faults.push(`${maxBehind} pings waited at the same time`)
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
