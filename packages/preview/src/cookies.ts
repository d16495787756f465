/*
 * A session is a cookie, and browsers hide cookies from scripts in both directions: a Request that a script
 * makes drops `Cookie`, and a Response drops `Set-Cookie`, even when both ends are scripts of the same page.
 * So the two are carried beside the objects here, and the control plane need not know.
 */

const noted = new WeakMap<Response, string[]>()

/** From here on every Response made in this page remembers the cookies that it was made with. */
export function noteSetCookies(): void {
  // Not a subclass: what the browser itself makes must still be an instance of Response.
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

/** The cookies of one page, for as long as it lives. All of them belong to one server, and to all its paths. */
export class CookieJar {
  readonly #cookies = new Map<string, string>()

  /** The request as it would reach a server. The one given is used up. */
  fill(request: Request): Request {
    if (this.#cookies.size === 0) return request
    return new RequestWithCookie(request, [...this.#cookies].map((pair) => pair.join('=')).join('; '))
  }

  /** Whether the response had anything to say about cookies. */
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
