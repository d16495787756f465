import './jitless.ts'
import { http, ws } from 'msw'
import { setupWorker } from 'msw/browser'
import { openDatabase } from './database.ts'
import { Options, withoutChoices } from './options.ts'
import { pageCookies } from './page-cookies.ts'
import { password, people, type Person } from './people.ts'
import { asHeader, openPlane, type Plane } from './plane.ts'
import { attach } from './socket.ts'
import { Trouble } from './trouble.ts'

/** The control plane in the page, as the console sees it. */
export interface Preview {
  people: readonly Person[]
  options: Pick<Options, 'current' | 'subscribe' | 'choose'>
  /** Switches the page to another user, keeping everything created in it. */
  become: (name: string) => Promise<void>
  /** Starts the work without a request, which shares the page's thread; again it does nothing. */
  startBackground: () => void
}

/** Resolves when the control plane in this page answers its requests. */
export async function start(): Promise<Preview> {
  if (!('serviceWorker' in navigator)) {
    return stay(
      'The preview needs a service worker, which browsers allow on localhost or over https only, and not in every private window.',
    )
  }
  const address = new URL(location.href)
  const options = new Options(pageCookies, address.searchParams)
  history.replaceState(history.state, '', withoutChoices(address))
  const worker = setupWorker()
  const [plane] = await Promise.all([
    openDatabase().then((database) => openPlane(database, options)),
    worker.start({ quiet: true, onUnhandledRequest: 'bypass' }),
  ])
  worker.use(...handlersOf(plane, new Trouble(options.current)))
  stayKnown()
  const names = people.map(({ name }) => name).join(', ')
  console.info(`Preview: users ${names} of silo demo, password "${password}".`)
  let isStarted = false
  const startBackground = (): void => {
    if (!isStarted) plane.start()
    isStarted = true
  }
  return { people, options, become: plane.become, startBackground }
}

function handlersOf(plane: Plane, trouble: Trouble) {
  // MSW matches a WebSocket's URL only when the pattern names the host.
  const host = location.origin.replace(/^http/, 'ws')
  const streams = [`${host}/v1/instances/*/serial-console/stream`, `${host}/ext/v1/instances/*/screen/stream`]
  return [
    http.all(
      ({ request }) => isOurs(plane, request),
      async ({ request }) => {
        // Requests that set up tests are exempt from delays and failures.
        const failed = request.headers.has(asHeader) ? undefined : await trouble.meet(request)
        return failed ?? plane.fetch(request)
      },
    ),
    ...streams.map((stream) =>
      ws.link(stream).addEventListener('connection', ({ client }) => {
        // MSW's types omit the page's end of the socket, which knows its binary type.
        const { socket } = client as unknown as { socket: WebSocket }
        const url = new URL(client.url)
        url.protocol = location.protocol
        const request = new Request(url)
        const answer = trouble.meet(request).then((failed) => failed ?? plane.upgrade(request))
        attach(answer, client, () => socket.binaryType)
      }),
    ),
  ]
}

function isOurs(plane: Plane, { method, url }: Request): boolean {
  const { origin, pathname } = new URL(url)
  return origin === location.origin && plane.serves(method, pathname)
}

/**
 * Browsers end an idle service worker, for example when the page is hidden for long or the computer slept.
 * MSW's worker then knows no page any more, and its own heartbeat does not register it again.
 */
function stayKnown(): void {
  const tell = () => navigator.serviceWorker.controller?.postMessage('MOCK_ACTIVATE')
  document.addEventListener('visibilitychange', tell)
  setInterval(tell, 5000)
}

/** Nothing can continue, so the page shows the reason and never finishes starting. */
function stay(sentence: string): Promise<never> {
  document.body.textContent = sentence
  return new Promise(() => undefined)
}
