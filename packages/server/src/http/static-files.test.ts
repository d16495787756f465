import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { staticFiles } from './static-files.ts'

const html = '<html><head></head><body>the page</body></html>'
const pages = [{ path: '/projects', reads: ['/v1/me'], files: [] }]

const plain = {
  identity: (bytes: Buffer) => bytes,
  gzip: (bytes: Buffer) => gunzipSync(bytes),
  br: (bytes: Buffer) => brotliDecompressSync(bytes),
}
const encodings = ['identity', 'gzip', 'br'] as const

async function folder(): Promise<string> {
  const directory = await temporaryFolder()
  await fs.writeFile(path.join(directory, 'index.html'), html)
  await fs.writeFile(path.join(directory, '.pages.json'), JSON.stringify(pages))
  return directory
}

const page = (encoding: string) =>
  new Request('http://gantry.test/projects', {
    headers: { cookie: 'session=1', accept: 'text/html', 'accept-encoding': encoding },
  })

/** The answer to a read that a page brings along, once the test says so. */
function pendingAnswer() {
  let answer = (): void => undefined
  const answered = new Promise<Response>((resolve) => (answer = () => resolve(new Response('{"id":"me"}'))))
  return { ask: () => answered, answer: () => answer() }
}

test.each(encodings)(
  'a page with answers arrives whole in the encoding %s, its head before its end is known',
  async (encoding) => {
    const serve = await staticFiles(await folder())
    const { ask, answer } = pendingAnswer()
    const response = await serve(page(encoding), ask)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const head = await reader.read()
    expect(head.value?.byteLength).toBeGreaterThan(0)
    answer()
    const rest: Uint8Array[] = []
    for (let next = await reader.read(); !next.done; next = await reader.read()) rest.push(next.value)
    const text = plain[encoding](Buffer.concat([head.value ?? new Uint8Array(), ...rest])).toString()
    expect(text).toContain('the page')
    expect(text).toContain(JSON.stringify('{"id":"me"}'))
  },
)

// An unhandled error ends the process, and fails this test.
test.each(encodings)(
  'a client that leaves in the middle of a page in the encoding %s harms nobody',
  async (encoding) => {
    const serve = await staticFiles(await folder())
    for (let round = 0; round < 20; round++) {
      const { ask, answer } = pendingAnswer()
      const { body } = await serve(page(encoding), ask)
      const reader = (body as ReadableStream<Uint8Array>).getReader()
      if (round % 2 === 0) await reader.read()
      if (round % 3 === 0) answer()
      await reader.cancel()
      answer()
    }
    await setTimeout(50)
    expect((await serve(page(encoding), async () => new Response('{}'))).status).toBe(200)
  },
)
