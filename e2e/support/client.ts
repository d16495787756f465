import { password } from './target.ts'

/** A user of silo `demo` (by default the administrator) on a server that may be killed at any moment. */
export class Client {
  #cookie = ''
  readonly #gantry: { readonly url: string }
  constructor(gantry: { readonly url: string }) {
    this.#gantry = gantry
  }

  get headers(): Record<string, string> {
    return { cookie: this.#cookie, 'content-type': 'application/json' }
  }

  async signIn(username = 'admin'): Promise<void> {
    const response = await this.send('POST', '/v1/login/demo/local', { username, password })
    this.#cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  }

  send(method: string, path: string, body?: unknown): Promise<Response> {
    return this.request(method, path, { body })
  }

  /** Sends bytes instead of a JSON body, or custom headers. */
  request(
    method: string,
    path: string,
    more: { body?: unknown; bytes?: Uint8Array<ArrayBuffer>; headers?: Record<string, string> },
  ): Promise<Response> {
    const { body, bytes } = more
    const sent = bytes ?? (body === undefined ? undefined : JSON.stringify(body))
    return fetch(this.#gantry.url + path, {
      method,
      headers: { ...this.headers, ...more.headers },
      ...(sent !== undefined && { body: sent }),
    })
  }

  async read<Answer>(path: string): Promise<Answer> {
    const response = await this.send('GET', path)
    if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Answer
  }
}
