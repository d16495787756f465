import net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A loopback address, so that the attacker's address differs from that of waiting users. */
const attacker = '127.0.0.2'

/** A raw connection, with everything received until it ended. */
export interface Talk {
  socket: net.Socket
  statuses: () => number[]
  ended: Promise<unknown>
}

export async function talkTo(gantry: { url: string }): Promise<Talk> {
  let heard = ''
  const socket = net.connect({
    port: Number(new URL(gantry.url).port),
    host: '127.0.0.1',
    localAddress: attacker,
  })
  socket.on('data', (bytes: Buffer) => (heard += bytes.toString('latin1')))
  socket.on('error', () => undefined)
  const ended = new Promise((resolve) => socket.once('close', resolve))
  await Promise.race([ended, new Promise((resolve) => socket.once('connect', resolve))])
  const statuses = () => [...heard.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
  return { socket, statuses, ended }
}

/** Sends this, and then single bytes until the connection ends. */
export async function dribble({ socket, ended }: Talk, begin: string): Promise<void> {
  socket.write(begin)
  while (socket.writable) {
    await pause(100)
    if (socket.writable) socket.write('x')
  }
  await ended
}
