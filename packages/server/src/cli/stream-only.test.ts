import { expect, test } from 'vitest'
import { streamOnly } from './stream-only.ts'

const peer = { address: '127.0.0.1' }
const handled = streamOnly({
  serves: () => false,
  fetch: async () => new Response('from the control plane'),
  upgrade: async () => () => undefined,
  certificates: async () => [],
})

test.each([
  ['/ext/v1/changes?topic=silo', 200],
  ['/v1/ping', 200],
  ['/openapi.json', 200],
  ['/v1/projects', 404],
  ['/ext/v1/changes/more', 404],
  ['/ext/v1/openapi.json', 404],
  ['/', 404],
])('%s is answered with %i', async (path, status) => {
  // The console's own files are not served either.
  expect(handled.serves('GET', new URL(path, 'http://here').pathname)).toBe(true)
  expect((await handled.fetch(new Request(`http://here${path}`), peer)).status).toBe(status)
})

test('no WebSocket is opened', async () => {
  const answer = await handled.upgrade(new Request('http://here/v1/instances/x/serial-console/stream'), peer)
  expect(answer instanceof Response && answer.status).toBe(404)
})
