import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client, serve } from './fleet.ts'
import { table } from './measure.ts'

const GiB = 1024 ** 3
const total = 1 * GiB
/** Random bytes, reused at different offsets. */
const distinct = 64 * 1024 ** 2
const streams = 4
const uploadPiece = 4 * 1024 ** 2
const bulkPiece = 512 * 1024

/** 1 GiB in both upload formats, next to a minimal server that writes the same bodies to a file. */
export default async function measure(): Promise<void> {
  console.log(`1 GiB of random bytes, ${streams} streams, one client; digests and base64 made before`)
  const random = randomBytes(distinct)
  const pieces = cut(random, uploadPiece).map((bytes) => ({
    bytes,
    digest: `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`,
  }))
  const texts = cut(random, bulkPiece).map((bytes) => Buffer.from(`"${bytes.toString('base64')}"}`))
  const bulkBody = (offset: number): Buffer =>
    Buffer.concat([
      Buffer.from(`{"offset":${offset},"base64_encoded_data":`),
      pick(texts, offset / bulkPiece),
    ])

  const dataDir = mkdtempSync(path.join(tmpdir(), 'gantry-bench-'))
  const bare = await bareServer(path.join(dataDir, 'bare'))
  const server = await serve(['--data-dir', path.join(dataDir, 'gantry')])
  try {
    const clients = await connect(server.port)
    const plain = Array.from({ length: streams }, () => new Client(bare.port))
    const [client] = clients
    if (!client) throw new Error('there is no client')

    const bareUpload = await rate(plain, uploadPiece, (to, offset) =>
      to.send('PUT', `/?offset=${offset}`, pick(pieces, offset / uploadPiece).bytes),
    )
    const bareSynced = await rate(plain, uploadPiece, (to, offset) =>
      to.send('PUT', `/synced?offset=${offset}`, pick(pieces, offset / uploadPiece).bytes),
    )
    const named = { description: '', os: 'Linux', version: '1', block_size: 512, size: total }
    const upload = await made(client, '/ext/v1/image-uploads?project=playground', {
      name: 'upload',
      ...named,
    })
    const uploaded = await rate(clients, uploadPiece, (to, offset) => {
      const { bytes, digest } = pick(pieces, offset / uploadPiece)
      return to.send('PUT', `/ext/v1/image-uploads/${upload}/content?offset=${offset}`, bytes, {
        'content-type': 'application/octet-stream',
        'content-digest': digest,
      })
    })

    const bareBulk = await rate(plain, bulkPiece, (to, offset) =>
      to.send('PUT', `/?offset=${offset}`, bulkBody(offset)),
    )
    const disk = await made(client, '/v1/disks?project=playground', {
      name: 'import',
      description: '',
      size: total,
      disk_source: { type: 'importing_blocks', block_size: 512 },
    })
    await client.send('POST', `/v1/disks/${disk}/bulk-write-start`)
    const bulk = await rate(clients, bulkPiece, (to, offset) =>
      to.send('POST', `/v1/disks/${disk}/bulk-write`, bulkBody(offset)),
    )
    const row = (what: string, perSecond: number, beside?: number) => ({
      what,
      'MB/s': Math.round(perSecond),
      'of bare': beside ? `${Math.round((perSecond / beside) * 100)} %` : '',
    })
    table([
      row('bare PUT of 4 MiB into a file', bareUpload),
      row('the same, each synced', bareSynced, bareUpload),
      row('image upload, 4 MiB a piece', uploaded, bareUpload),
      row('bare PUT of 512 KiB as base64 into a file', bareBulk),
      row('bulk write, 512 KiB a piece', bulk, bareBulk),
    ])
  } finally {
    await server.stop()
    bare.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const cut = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: bytes.length / size }, (_, index) => bytes.subarray(index * size, (index + 1) * size))

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('nothing to send')
  return item
}

const connect = (port: number): Promise<Client[]> =>
  Promise.all(
    Array.from({ length: streams }, async () => {
      const client = new Client(port)
      await client.signIn()
      return client
    }),
  )

async function made(client: Client, at: string, body: object): Promise<string> {
  return (JSON.parse((await client.send('POST', at, body)).text) as { id: string }).id
}

/** MB of contents per second, with clients that each take the next piece when done. */
async function rate(
  clients: readonly Client[],
  piece: number,
  send: (client: Client, offset: number) => Promise<unknown>,
): Promise<number> {
  let next = 0
  const begin = performance.now()
  await Promise.all(
    clients.map(async (client) => {
      for (let offset = next; offset < total; offset = next) {
        next += piece
        await send(client, offset)
      }
    }),
  )
  return total / 1e6 / ((performance.now() - begin) / 1000)
}

/** A minimal server in a separate process that writes bodies to their offset in a file. */
const bareSource = `
  const fs = require('node:fs/promises')
  fs.open(process.argv[1], 'w+').then((file) => {
    const server = require('node:http').createServer((request, response) => {
      const url = new URL(request.url, 'http://localhost')
      let at = Number(url.searchParams.get('offset'))
      const work = async () => {
        for await (const chunk of request) {
          await file.write(chunk, 0, chunk.length, at)
          at += chunk.length
        }
        if (url.pathname === '/synced') await file.datasync()
        response.writeHead(204).end()
      }
      work().catch((error) => response.destroy(error))
    })
    server.listen(0, '127.0.0.1', () => console.log(server.address().port))
  })`

async function bareServer(file: string): Promise<{ port: number; stop: () => void }> {
  const child: ChildProcess = spawn(process.execPath, ['-e', bareSource, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout?.once('data', (text: Buffer) => resolve(Number(text.toString())))
    child.once('exit', (code) => reject(new Error(`the bare server ended with ${code}`)))
  })
  return { port, stop: () => void child.kill('SIGTERM') }
}
