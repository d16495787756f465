import type { Caller, TestBed } from './control-plane.ts'

/** Posts a body whose last byte is sent once `meanwhile` has done its work; returns the status. */
export async function sendSlowly(
  { plane }: TestBed,
  who: Caller,
  [path, sent]: readonly [path: string, body: unknown],
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const text = new TextEncoder().encode(JSON.stringify(sent))
  const pieces = [() => text.slice(0, -1), async () => (await meanwhile(), text.slice(-1))]
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
  const headers = { cookie: who.cookie, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body, duplex: 'half' }
  const response = await plane.fetch(new Request(`http://localhost${path}`, init), { address: '127.0.0.1' })
  return response.status
}
