import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Client } from '../../e2e/support/client.ts'

/** A viewer of an instance's serial console. */
interface Line {
  text: () => string
  type: (text: string) => void
  close: () => void
}

export async function serialLine(url: string, client: Client, instance: string): Promise<Line> {
  const stream = `/v1/instances/${instance}/serial-console/stream?most_recent=100000`
  const socket = new WebSocket(url.replace('http:', 'ws:') + stream, { headers: client.headers })
  let text = ''
  socket.on('message', (bytes: Buffer) => (text += bytes.toString()))
  await once(socket, 'open')
  return {
    text: () => text,
    type: (typed) => socket.send(Buffer.from(typed)),
    close: () => socket.close(),
  }
}
