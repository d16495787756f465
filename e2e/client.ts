import type { Gantry } from './gantry.ts'
import { password } from './target.ts'

/** A signed-in administrator that talks to a server which may die at any moment. */
export class Client {
  #cookie = ''
  readonly #gantry: Gantry
  constructor(gantry: Gantry) {
    this.#gantry = gantry
  }

  get headers(): Record<string, string> {
    return { cookie: this.#cookie, 'content-type': 'application/json' }
  }

  async signIn(): Promise<void> {
    const response = await this.send('POST', '/v1/login/demo/local', { username: 'admin', password })
    this.#cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  }

  send(method: string, path: string, body?: unknown): Promise<Response> {
    const { headers } = this
    return fetch(this.#gantry.url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  async read<Answer>(path: string): Promise<Answer> {
    const response = await this.send('GET', path)
    if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Answer
  }
}
