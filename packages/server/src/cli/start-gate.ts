import { randomUUID } from 'node:crypto'
import { startingHeader, startingRetrySeconds, startingWords } from '@gantry/api/base/starting.rules'
import type { ControlPlane } from '@gantry/control-plane/environment'

type Handled = Pick<ControlPlane, 'serves' | 'fetch' | 'upgrade' | 'certificates'>

/**
 * Answers in place of the control plane until it runs, so that the port can be taken before the database is
 * open.
 */
export function startGate(): Handled & { open: (controlPlane: Handled) => void } {
  let behind: Handled | undefined
  return {
    open: (controlPlane) => (behind = controlPlane),
    serves: (method, pathname) => (behind ? behind.serves(method, pathname) : !ofPage.has(pathname)),
    fetch: async (request, peer) => (behind ? behind.fetch(request, peer) : notYet(request)),
    certificates: async () => behind?.certificates() ?? [],
    upgrade: async (request, peer) => (behind ? behind.upgrade(request, peer) : notYet(request)),
  }
}

/** For browsers, a page that reloads itself; for programs, a refusal in the usual format. */
function notYet(request: Request): Response {
  const id = randomUUID()
  const isForPeople = (request.headers.get('accept') ?? '').includes('text/html')
  const refusal = {
    request_id: id,
    error_code: 'ServiceNotAvailable',
    message: startingWords,
    help: 'Try again in a moment.',
  }
  return new Response(isForPeople ? page : JSON.stringify(refusal, null, 2), {
    status: 503,
    headers: {
      'content-type': isForPeople ? 'text/html; charset=utf-8' : 'application/json',
      'retry-after': String(startingRetrySeconds),
      'cache-control': 'no-store',
      'x-request-id': id,
      [startingHeader]: '1',
    },
  })
}

/** Files that the page needs from the console: the content security policy forbids inline styles. */
const ofPage = new Set(['/starting.css', '/mark.svg'])

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="refresh" content="${startingRetrySeconds}">
    <title>Gantry</title>
    <link rel="icon" href="/mark.svg">
    <link rel="stylesheet" href="/starting.css">
  </head>
  <body>
    <img src="/mark.svg" alt="">
    <h1>${startingWords}</h1>
    <p>This page opens as soon as the server is ready.</p>
  </body>
</html>
`
