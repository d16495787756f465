import type { ByteSocket } from '@gantry/control-plane/environment'
import { expect, test } from 'vitest'
import { attach, type Client } from './socket.ts'

function page() {
  const target = new EventTarget()
  const sent: (ArrayBuffer | Blob)[] = []
  const closed: [number, string][] = []
  const client: Client = {
    send: (data) => void sent.push(data),
    close(code, reason) {
      closed.push([code, reason])
      target.dispatchEvent(new Event('close'))
    },
    addEventListener: (type: string, listener: (event: never) => void) =>
      target.addEventListener(type, listener as EventListener),
  }
  const type = (data: unknown) => target.dispatchEvent(new MessageEvent('message', { data }))
  return { client, sent, closed, type, leave: () => target.dispatchEvent(new Event('close')) }
}

const encode = (text: string) => new TextEncoder().encode(text)
const settled = () => new Promise((resolve) => setTimeout(resolve, 10))

function collect(socket: ByteSocket): string[] {
  const seen: string[] = []
  socket.onBytes((bytes) => void seen.push(new TextDecoder().decode(bytes)))
  return seen
}

test('delivers every binary frame in order, including early ones, and no text', async () => {
  const { client, type } = page()
  let accept: (open: (socket: ByteSocket) => void) => void = () => undefined
  const answer = new Promise<(socket: ByteSocket) => void>((resolve) => {
    accept = resolve
  })
  attach(answer, client, () => 'arraybuffer')
  type(new Blob(['a']))
  type(encode('b').buffer)
  type('text')
  let seen: string[] = []
  accept((socket) => {
    seen = collect(socket)
  })
  await settled()
  type(encode('xcx').subarray(1, 2))
  await settled()
  expect(seen).toEqual(['a', 'b', 'c'])
})

test("delivers frames in the page's binary type", async () => {
  for (const [binaryType, kind] of [
    ['arraybuffer', ArrayBuffer],
    ['blob', Blob],
  ] as const) {
    const { client, sent } = page()
    attach(
      Promise.resolve((socket: ByteSocket) => socket.send(encode('xhix').subarray(1, 3))),
      client,
      () => binaryType,
    )
    await settled()
    expect(sent[0]).toBeInstanceOf(kind)
    await expect(new Response(sent[0]).text()).resolves.toBe('hi')
  }
})

test('a refused upgrade looks like a broken connection', async () => {
  const { client, closed } = page()
  attach(Promise.resolve(new Response(null, { status: 404 })), client, () => 'blob')
  await settled()
  expect(closed).toEqual([[1006, '']])
})

test('the control plane learns of a closed page, even before it listened', async () => {
  const { client, leave } = page()
  let gone = 0
  attach(
    Promise.resolve((socket: ByteSocket) => socket.onClose(() => void gone++)),
    client,
    () => 'blob',
  )
  leave()
  await settled()
  expect(gone).toBe(1)
})
