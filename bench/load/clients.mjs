// Clients in a separate process, so that their cost is not attributed to the server.
import http from 'node:http'
import { performance } from 'node:perf_hooks'

/**
 * @typedef {{ method: string, path: string, body?: unknown }} Call
 * @typedef {{ port: number, cookies: string[], clients: number, ms: number, calls: Call[], once: boolean }} Job
 */

/** @type {Map<string, http.Agent>} */
const agents = new Map()
let made = 0

/** `once`: makes every call only one time, because changes cannot be repeated. */
async function work(/** @type {Job} */ { port, cookies, clients, ms, calls, once }) {
  /** @type {number[]} */
  const taken = []
  /** @type {string[]} */
  const failures = []
  let next = 0
  const begin = performance.now()
  const isOver = () => (once ? next >= calls.length : false) || performance.now() - begin > ms
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const cookie = cookies[client % cookies.length] ?? ''
      while (!isOver()) {
        const call = calls[next++ % calls.length]
        if (!call) return
        const from = performance.now()
        const problem = await send(port, client, cookie, call)
        taken.push(performance.now() - from)
        if (problem) failures.push(problem)
      }
    }),
  )
  return { taken, totalMs: performance.now() - begin, failures }
}

/** Returns the error, if any. A `*` in body or path is a different number in every call. */
function send(
  /** @type {number} */ port,
  /** @type {number} */ client,
  /** @type {string} */ cookie,
  /** @type {Call} */ call,
) {
  const key = `${port} ${client}`
  const agent = agents.get(key) ?? new http.Agent({ keepAlive: true, maxSockets: 1 })
  agents.set(key, agent)
  const number = String(++made)
  const body = call.body === undefined ? undefined : JSON.stringify(call.body).replaceAll('*', number)
  return new Promise((resolve, reject) => {
    const headers = { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const request = http.request(
      { port, host: '127.0.0.1', method: call.method, path: call.path, headers, agent },
      (response) => {
        /** @type {Buffer[]} */
        const chunks = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => {
          const status = response.statusCode ?? 0
          resolve(
            status < 400
              ? undefined
              : `${call.method} ${call.path} ${status} ${Buffer.concat(chunks).toString()}`,
          )
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

process.on('message', (/** @type {Job} */ job) => {
  work(job).then(
    (result) => process.send?.(result),
    (error) => process.send?.({ taken: [], totalMs: 1, failures: [String(error)] }),
  )
})
