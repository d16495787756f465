import type { ByteSocket, ControlPlane } from '@gantry/control-plane/environment'

/** Echoes requests and sockets, and streams: all that tests of the transport need. */
export function fakeControlPlane() {
  const seen = { aborted: 0, cancelled: 0, socketsClosed: 0, stopped: 0, started: 0 }
  const fake: ControlPlane = {
    migrate: () => Promise.resolve(),
    seed: () => Promise.resolve(true),
    serves: (_, pathname) => pathname.startsWith('/v1/'),
    certificates: () => Promise.resolve([]),
    start: () => void (seen.started += 1),
    startStreams: () => void (seen.started += 1),
    wake: () => {},
    async stop() {
      seen.stopped += 1
    },
    async fetch(request, peer) {
      request.signal.addEventListener('abort', () => (seen.aborted += 1))
      const { pathname } = new URL(request.url)
      if (pathname === '/v1/throw') throw new Error('a bug')
      if (pathname === '/v1/stream')
        return new Response(ticks(seen), { headers: { 'content-type': 'text/event-stream' } })
      if (pathname === '/v1/slow') await new Promise((resolve) => setTimeout(resolve, 400))
      if (pathname === '/v1/cookies') {
        const headers = new Headers()
        headers.append('set-cookie', 'a=1')
        headers.append('set-cookie', 'b=2')
        return new Response(null, { status: 204, headers })
      }
      const body = request.method === 'POST' ? await request.text() : ''
      const { url, method } = request
      return Response.json({
        url,
        method,
        host: request.headers.get('host'),
        address: peer.address,
        path: peer.path,
        length: body.length,
      })
    },
    async upgrade(request, peer) {
      const { pathname } = new URL(request.url)
      if (pathname === '/v1/throw') throw new Error('a bug')
      if (pathname !== '/v1/echo') {
        const headers = { 'content-type': 'application/json', 'set-cookie': 'a=1' }
        return new Response(JSON.stringify({ message: 'no such console', address: peer.address }), {
          status: 404,
          headers,
        })
      }
      return (socket: ByteSocket) => {
        socket.onBytes((bytes) => {
          if (bytes[0] === 0) socket.close(4000, 'you sent a zero')
          else socket.send(bytes)
        })
        socket.onClose(() => void (seen.socketsClosed += 1))
      }
    },
  }
  return Object.assign(fake, { seen })
}

function ticks(seen: { cancelled: number }): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout
  return new ReadableStream({
    start(controller) {
      const tick = (): void => controller.enqueue(new TextEncoder().encode('data: tick\n\n'))
      tick()
      timer = setInterval(tick, 50)
    },
    cancel() {
      seen.cancelled += 1
      clearInterval(timer)
    },
  })
}
