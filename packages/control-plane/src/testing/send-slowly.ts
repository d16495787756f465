import { sha256 } from '../modules/storage/content-digest.ts'
import type { Caller, TestBed } from './control-plane.ts'

interface Slow {
  method?: 'POST' | 'PUT'
  path: string
  /** Bytes are sent unchanged, anything else as JSON. */
  body: unknown
}

/** Sends a body whose last byte follows once `meanwhile` has done its work; returns the status. */
export async function sendSlowly(
  { plane }: TestBed,
  { cookie }: Caller,
  { method = 'POST', path, body: sent }: Slow,
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const isBytes = sent instanceof Uint8Array
  const bytes = isBytes ? new Uint8Array(sent) : new TextEncoder().encode(JSON.stringify(sent))
  const pieces = [() => bytes.slice(0, -1), async () => (await meanwhile(), bytes.slice(-1))]
  const body = new ReadableStream(
    {
      async pull(controller) {
        const piece = pieces.shift()
        if (piece) controller.enqueue(await piece())
        else controller.close()
      },
    },
    // Nothing is sent before it is read, by when the caller has been authenticated.
    { highWaterMark: 0 },
  )
  const type = isBytes ? 'application/octet-stream' : 'application/json'
  const headers = { cookie, 'content-type': type, 'content-digest': `sha-256=:${await sha256(bytes)}:` }
  const request = new Request(`http://localhost${path}`, {
    method,
    headers,
    body,
    duplex: 'half',
  } as RequestInit)
  return (await plane.fetch(request, { address: '127.0.0.1' })).status
}
