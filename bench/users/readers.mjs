// Readers of the change stream in a separate process: plain sockets, so that 10,000 of them cost little.
import net from 'node:net'

/** Streams opened concurrently. */
const openingAtOnce = 100

/** @type {net.Socket[]} */
const sockets = []
let bytes = 0
/** @type {number[]} */
let delays = []
let ended = 0

/** @returns {Promise<void>} */
function open(
  /** @type {number} */ port,
  /** @type {{ cookie: string, query: string }} */ { cookie, query },
) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1' })
    let rest = ''
    let isReady = false
    socket.setNoDelay(true)
    socket.on('error', reject)
    socket.on('close', () => {
      ended++
      reject(new Error(`a stream was refused: ${rest.slice(0, 200)}`))
    })
    socket.on('connect', () =>
      socket.write(
        `GET /ext/v1/changes?${query} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookie}\r\n\r\n`,
      ),
    )
    socket.on('data', (chunk) => {
      bytes += chunk.length
      const text = rest + chunk.toString('latin1')
      if (!isReady && text.includes('event: ready')) {
        isReady = true
        resolve()
      }
      // The object's name contains the time of its request.
      for (const [, sent] of text.matchAll(/"name":"sent-(\d+)"/g)) delays.push(Date.now() - Number(sent))
      rest = isReady ? text.slice(Math.max(0, text.lastIndexOf('\n\n'))) : text
    })
    sockets.push(socket)
  })
}

async function openAll(
  /** @type {number} */ port,
  /** @type {{ cookie: string, query: string }[]} */ streams,
) {
  let next = 0
  await Promise.all(
    Array.from({ length: openingAtOnce }, async () => {
      for (let at = next++; at < streams.length; at = next++) {
        const stream = streams[at]
        if (stream) await open(port, stream)
      }
    }),
  )
}

process.on('message', (/** @type {any} */ { port, streams }) => {
  if (streams) {
    openAll(port, streams).then(
      () => process.send?.({ opened: streams.length }),
      (error) => process.send?.({ error: String(error) }),
    )
    return
  }
  process.send?.({ bytes, delays, ended })
  bytes = 0
  delays = []
})
