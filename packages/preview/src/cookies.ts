/*
 * A session is a cookie, and browsers hide cookies from scripts in both directions: a Request made by a
 * script drops `Cookie`, and a Response drops `Set-Cookie`, even when both ends are scripts of the same page.
 * So both are carried beside the objects here, transparently to the control plane.
 */

const noted = new WeakMap<Response, string[]>()

/** From here on every Response created in this page remembers its cookies. */
export function noteSetCookies(): void {
  // Not a subclass: responses from the browser itself must still be instances of Response.
  globalThis.Response = new Proxy(Response, {
    construct(target, args: ConstructorParameters<typeof Response>, newTarget) {
      const response = Reflect.construct(target, args, newTarget) as Response
      const headers = args[1]?.headers
      const cookies = headers instanceof Headers ? headers.getSetCookie() : []
      if (cookies.length > 0) noted.set(response, cookies)
      return response
    },
  })
}

class RequestWithCookie extends Request {
  readonly #headers: Headers

  constructor(request: Request, cookie: string) {
    super(request)
    this.#headers = new Headers(request.headers)
    this.#headers.set('cookie', cookie)
  }

  override get headers(): Headers {
    return this.#headers
  }
}

/** The cookies of one page, for its lifetime. All of them belong to one server, and to all its paths. */
export class CookieJar {
  readonly #cookies = new Map<string, string>()

  /** The request as it would reach a server. Consumes the given one. */
  fill(request: Request): Request {
    if (this.#cookies.size === 0) return request
    return new RequestWithCookie(request, [...this.#cookies].map((pair) => pair.join('=')).join('; '))
  }

  /** Stores the response's cookies; returns whether there were any. */
  keep(response: Response): boolean {
    const cookies = noted.get(response) ?? []
    for (const cookie of cookies) {
      const [pair = '', ...attributes] = cookie.split(';')
      const [name = '', ...value] = pair.split('=')
      const isOver = attributes.some((attribute) => attribute.trim().toLowerCase() === 'max-age=0')
      if (isOver) this.#cookies.delete(name)
      else this.#cookies.set(name, value.join('='))
    }
    return cookies.length > 0
  }
}
