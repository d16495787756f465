import { http, ws } from 'msw'
import { setupWorker } from 'msw/browser'
import { openDatabase } from './database.ts'
import { openPlane, type Plane, password } from './plane.ts'
import { attach } from './socket.ts'

/** Resolves when requests of this page are answered by the control plane in it. */
export async function start(): Promise<void> {
  if (!('serviceWorker' in navigator)) {
    return stay(
      'The preview needs a service worker, which browsers allow on localhost or over https only, and not in every private window.',
    )
  }
  const worker = setupWorker()
  const [plane] = await Promise.all([
    openDatabase().then((database) => openPlane(database, sessionStorage)),
    worker.start({ quiet: true, onUnhandledRequest: 'bypass' }),
  ])
  worker.use(...handlersOf(plane))
  stayKnown()
  console.info(`Preview: users admin, member and viewer of silo demo, password "${password}".`)
}

function handlersOf(plane: Plane) {
  // MSW matches a WebSocket's address only when the pattern names the host.
  const serialConsole = `${location.origin.replace(/^http/, 'ws')}/v1/instances/*/serial-console/stream`
  return [
    http.all(
      ({ request }) => isOurs(plane, request),
      ({ request }) => plane.fetch(request),
    ),
    ws.link(serialConsole).addEventListener('connection', ({ client }) => {
      // MSW's types leave out the page's end of the socket, which says what it wants bytes to be.
      const { socket } = client as unknown as { socket: WebSocket }
      const url = new URL(client.url)
      url.protocol = location.protocol
      attach(plane.upgrade(new Request(url)), client, () => socket.binaryType)
    }),
  ]
}

function isOurs(plane: Plane, { method, url }: Request): boolean {
  const { origin, pathname } = new URL(url)
  return origin === location.origin && plane.serves(method, pathname)
}

/**
 * Browsers end a service worker that idles, as when the page is long out of sight or the machine slept. MSW's then
 * knows no page any more, and its own heartbeat does not tell it again.
 */
function stayKnown(): void {
  const tell = () => navigator.serviceWorker.controller?.postMessage('MOCK_ACTIVATE')
  document.addEventListener('visibilitychange', tell)
  setInterval(tell, 5000)
}

/** Nothing can go on, so the page says why and never finishes starting. */
function stay(sentence: string): Promise<never> {
  document.body.textContent = sentence
  return new Promise(() => undefined)
}
