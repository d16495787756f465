import type { ByteSocket } from '@gantry/control-plane/environment'

/** The server's end of a socket opened by a page, as MSW provides it. */
export interface Client {
  send: (data: ArrayBuffer | Blob) => void
  close: (code: number, reason: string) => void
  addEventListener: {
    (type: 'message', listener: (event: { data: unknown }) => void): void
    (type: 'close', listener: () => void): void
  }
}

type Answer = Response | ((socket: ByteSocket) => void)

/** Browsers report nothing about a refused upgrade. */
const ABNORMAL = 1006

/**
 * Answers an upgrade. MSW opens the page's end without waiting for an answer, so early input is buffered, and
 * a refusal looks like a broken connection.
 */
export function attach(answer: Promise<Answer>, client: Client, binaryType: () => BinaryType): void {
  const bytesOf = binaryFrames(client)
  let hasClosed = false
  client.addEventListener('close', () => {
    hasClosed = true
  })
  void answer.then((accepted) => {
    if (accepted instanceof Response) return client.close(ABNORMAL, '')
    accepted({
      send(bytes) {
        const copy = bytes.slice().buffer
        client.send(binaryType() === 'blob' ? new Blob([copy]) : copy)
      },
      close: (code, reason) => client.close(code, reason),
      onBytes: bytesOf,
      onClose(listener) {
        if (hasClosed) listener()
        else client.addEventListener('close', listener)
      },
      // Sending is immediate.
      buffered: () => 0,
    })
  })
}

/** Frames in order, from the first one on; text is dropped. */
function binaryFrames(client: Client): ByteSocket['onBytes'] {
  let receive: ((bytes: Uint8Array) => void) | undefined
  const early: Uint8Array[] = []
  let turn = Promise.resolve()
  client.addEventListener('message', ({ data }) => {
    // Reading a Blob is asynchronous, so every frame waits for the previous one.
    turn = turn.then(async () => {
      const bytes = data instanceof Blob ? new Uint8Array(await data.arrayBuffer()) : viewOf(data)
      if (!bytes) return
      if (receive) receive(bytes)
      else early.push(bytes)
    })
  })
  return (listener) => {
    receive = listener
    for (const bytes of early.splice(0)) listener(bytes)
  }
}

function viewOf(data: unknown): Uint8Array | undefined {
  if (data instanceof ArrayBuffer) return new Uint8Array(data.slice())
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()
  return undefined
}
