import type { CurrentUser } from '@gantry/api/people/me'
import type { ControlPlane } from '@gantry/control-plane/environment'
import { CookieJar } from './cookies.ts'
import { password } from './people.ts'

const peer = { address: '127.0.0.1' }

/** In place of a name, for an anonymous caller. */
export const nobody = ''

/** A caller of the control plane, with its cookies. */
export class Caller {
  readonly #plane: Pick<ControlPlane, 'fetch' | 'upgrade'>
  readonly #jar = new CookieJar()
  #session = new AbortController()

  constructor(plane: Pick<ControlPlane, 'fetch' | 'upgrade'>) {
    this.#plane = plane
  }

  async exchange(request: Request): Promise<{ response: Response; hasCookies: boolean }> {
    const session = this.#session.signal
    const signal = AbortSignal.any([request.signal, session])
    const response = await this.#plane.fetch(this.#jar.fill(new Request(request, { signal })), peer)
    // The next user must not take the end of this session for the end of their own.
    if (session.aborted) return { response: Response.error(), hasCookies: false }
    return { response, hasCookies: this.#jar.keep(response) }
  }

  upgrade(request: Request): ReturnType<ControlPlane['upgrade']> {
    return this.#plane.upgrade(this.#jar.fill(request), peer)
  }

  async send(request: Request): Promise<Response> {
    return (await this.exchange(request)).response
  }

  /** The response of a call that must succeed. */
  async call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await this.send(requestOf(method, path, body))
    if (!response.ok) throw new Error(`${method} ${path} was refused: ${await response.text()}`)
    return (await response.json()) as Answer
  }

  async signIn(username: string): Promise<boolean> {
    return (await this.send(requestOf('POST', '/v1/login/demo/local', { username, password }))).ok
  }

  /** Ends the session, and with it its streams and the requests that are not answered yet. */
  async signOut(): Promise<void> {
    await this.send(requestOf('POST', '/v1/logout'))
    this.#session.abort()
    this.#session = new AbortController()
  }

  async name(): Promise<string> {
    const response = await this.send(requestOf('GET', '/v1/me'))
    return response.ok ? ((await response.json()) as CurrentUser).display_name : nobody
  }
}

export const origin = (): string => globalThis.location?.origin ?? 'http://localhost'

const requestOf = (method: string, path: string, body?: object): Request =>
  new Request(new URL(path, origin()), {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
