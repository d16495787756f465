import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import tls from 'node:tls'
import { afterAll, describe, expect, test } from 'vitest'
import { Gantry } from '../../e2e/support/gantry.ts'
import { authority, ecKey, serverCertificate } from '../../packages/server/src/testing/certificates.ts'
import {
  endlessHeader,
  openStreams,
  pingFrames,
  rapidResets,
  settingsFrames,
} from '../../packages/server/src/testing/http2-frames.ts'
import { othersAreAnswered } from './others.ts'
import { faultsOf } from './stage.ts'
import { talkTo } from './talk.ts'

const trusting = { ca: authority, servername: 'acme.sys.example' }
/** The contract's document, which is large; and a path that needs the database. */
const paths = ['/openapi.json', '/ext/v1/login/silos/demo'] as const
const concurrency = 4

const ended: Record<string, (path: string) => Buffer> = {
  'streams that are reset at once': (to) => rapidResets(5000, to),
  'a header of a hundred megabytes in continuations': (to) => endlessHeader(6000, to),
  'ten thousand streams that never end': (to) => openStreams(10_000, to),
}
const unread: Record<string, () => Buffer> = {
  'a hundred thousand pings': () => pingFrames(100_000),
  'a hundred thousand settings': () => settingsFrames(100_000),
}

describe('attacks over HTTP/2', async () => {
  const gantry = await encrypted()
  afterAll(() => gantry.remove())
  const asked = { protocol: 'https:', path: '/ext/v1/login/silos/demo', ...trusting }
  const othersAre = (attack: () => Promise<unknown>) => othersAreAnswered({ gantry, asked }, attack)

  test.each(Object.entries(ended))('%s end their connections', async (_, flood) => {
    for (const to of paths) {
      const bytes = flood(to)
      const sockets = await Promise.all(Array.from({ length: concurrency }, () => handshake(gantry, ['h2'])))
      await othersAre(() =>
        Promise.all(
          sockets.map(async (socket) => {
            const close = new Promise((resolve) => socket.once('close', resolve))
            socket.resume().write(bytes)
            await close
          }),
        ),
      )
    }
    expect(gantry.isAlive).toBe(true)
  })

  test.each(Object.entries(unread))('%s, whose responses nobody reads, cost no memory', async (_, flood) => {
    const bytes = flood()
    const sockets = await Promise.all(Array.from({ length: concurrency }, () => handshake(gantry, ['h2'])))
    await othersAre(async () => {
      for (const socket of sockets) socket.pause().write(bytes)
      await pause(3000)
    })
    for (const socket of sockets) socket.destroy()
    expect(gantry.isAlive).toBe(true)
  })

  test('handshakes that never finish', async () => {
    await othersAre(async () => {
      const sockets = await Promise.all(Array.from({ length: 200 }, () => talkTo(gantry)))
      // A TLS record that announces more bytes than follow.
      for (const { socket } of sockets) socket.write(Buffer.from([0x16, 3, 1, 2, 0, 1]))
      await Promise.all(sockets.map((talk) => talk.ended))
    })
    expect(gantry.isAlive).toBe(true)
  })

  test('cause no internal errors', () => expect(faultsOf(gantry.log)).toEqual([]))
})

/** A server that speaks TLS itself. */
async function encrypted(): Promise<Gantry> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'gantry-e2e-'))
  const [cert, key] = [path.join(dataDir, 'cert.pem'), path.join(dataDir, 'key.pem')]
  writeFileSync(cert, serverCertificate)
  writeFileSync(key, ecKey)
  return new Gantry({ dataDir, args: ['--tls-cert', cert, '--tls-key', key] }).start()
}

async function handshake({ url }: Gantry, ALPNProtocols: string[]): Promise<tls.TLSSocket> {
  const socket = tls.connect({
    port: Number(new URL(url).port),
    host: '127.0.0.1',
    localAddress: '127.0.0.2',
    ALPNProtocols,
    ...trusting,
  } as tls.ConnectionOptions)
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
  socket.on('error', () => undefined)
  return socket
}
