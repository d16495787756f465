import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { pause, seeded } from './chance.ts'
import type { Installation } from './installation.ts'

const MiB = 1024 ** 2
const files = ['one', 'two', 'three']
const size = 20 * MiB
/** Kills while the files of a round are fetched. */
const killsEach = 3

/** The bytes of each file differ, and so do those of each piece. */
const bytesOf = (name: string): Buffer => {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; at += 4096) bytes.write(`${name} ${at}`, at)
  return bytes
}

/** A server of the files, slow enough to be killed in between; `three` cannot be resumed. */
async function fileServer(contents: ReadonlyMap<string, Buffer>) {
  let resumed = 0
  const server = createServer(({ url = '', headers }, response) => {
    const name = files.find((file) => url.startsWith(`/${file}`)) ?? ''
    const bytes = contents.get(name) ?? Buffer.alloc(0)
    const from = name !== 'three' ? Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0) : 0
    if (from > 0) resumed += 1
    const place = from > 0 ? { 'content-range': `bytes ${from}-${size - 1}/${size}` } : {}
    const tag = name === 'three' ? {} : { etag: `"${name}"` }
    response.writeHead(from > 0 ? 206 : 200, { ...tag, ...place, 'content-length': size - from })
    void trickle(response, bytes.subarray(from))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    resumed: () => resumed,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function trickle(response: ServerResponse, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length && !response.destroyed; at += MiB) {
    response.write(bytes.subarray(at, at + MiB))
    await pause(60)
  }
  response.end()
}

interface Upload {
  name: string
  state: string
  failure: unknown
}

/**
 * Fetches files while the server is killed at random moments, round after round. Returns what is not there, differs from
 * the file, or is left over.
 */
export async function importsThroughKills(installation: Installation, rounds: number): Promise<string[]> {
  const { gantry, look, contents } = installation
  const chance = seeded(20_261_130)
  const bytes = new Map(files.map((name) => [name, bytesOf(name)]))
  const server = await fileServer(bytes)
  try {
    await gantry.start()
    const client = new Client(gantry)
    await client.signIn()
    await client.send('POST', '/v1/projects', { name: 'imported', description: '' })
    for (let round = 1; round <= rounds; round++) {
      for (const file of files) {
        const sha256 = createHash('sha256')
          .update(bytes.get(file) ?? '')
          .digest('hex')
        const body = {
          name: `${file}-${round}`,
          description: '',
          os: '',
          version: '',
          block_size: 512,
          sha256,
        }
        const url = `${server.origin}/${file}.raw?round=${round}`
        const answer = await client.send('POST', '/ext/v1/image-imports?project=imported', { ...body, url })
        expect(answer.status, await answer.text()).toBe(201)
      }
      // One is cancelled, wherever it is by then.
      const gone = { name: `gone-${round}`, description: '', os: '', version: '', block_size: 512 }
      const url = `${server.origin}/one.raw`
      const begun = await client.send('POST', '/ext/v1/image-imports?project=imported', { ...gone, url })
      const { id } = (await begun.json()) as { id: string }
      await pause(chance() * 1000)
      expect((await client.send('DELETE', `/ext/v1/image-uploads/${id}`)).status).toBe(204)
      for (let kill = 0; kill < killsEach; kill++) {
        await gantry.kill('SIGKILL')
        await gantry.start()
        await pause(500 + chance() * 2000)
      }
      await untilDone(client, round)
    }
    await expect
      .poll(
        async () => {
          const { items } = await client.read<{ items: unknown[] }>('/v1/images?project=imported&limit=1000')
          return items.length
        },
        { timeout: 60_000 },
      )
      .toBe(files.length * rounds)
    await pause(3000)
    await gantry.kill('SIGKILL')
    const wrong = await look(async (db) => {
      const { rows } = await sql<{ what: string }>`
        SELECT 'digest of ' || name AS what FROM image WHERE source_url IS NOT NULL
          AND digest ->> 'value' IS DISTINCT FROM source_sha256
        UNION ALL SELECT 'import ' || upload_id FROM image_import
        UNION ALL SELECT 'ranges of ' || upload_id FROM image_upload_range
        UNION ALL SELECT 'job ' || kind || ' ' || state FROM job WHERE kind = 'image-upload-fetch' AND state <> 'done'
        UNION ALL SELECT 'storage ' || v.storage FROM provisioning v JOIN project p ON p.id = v.id
          WHERE p.name = 'imported' AND v.storage <> 0`.execute(db)
      const kept = await sql<{ id: string }>`
        SELECT content_id AS id FROM disk UNION SELECT content_id FROM image UNION SELECT content_id FROM snapshot`.execute(
        db,
      )
      const known = new Set(kept.rows.map(({ id }) => id))
      return [
        ...rows.map(({ what }) => what),
        ...contents().flatMap((id) => (known.has(id) ? [] : [`the bytes ${id} are left over`])),
      ]
    })
    if (server.resumed() === 0) wrong.push('no fetch was resumed')
    return wrong
  } catch (error) {
    throw gantry.isAlive ? error : new Error(`the server ended: ${gantry.log.slice(-4000)}`, { cause: error })
  } finally {
    server.close()
  }
}

async function untilDone(client: Client, round: number): Promise<void> {
  const endings = async (): Promise<string[]> => {
    const { items } = await client.read<{ items: Upload[] }>(
      '/ext/v1/image-uploads?project=imported&limit=1000',
    )
    return items
      .filter(({ name }) => name.endsWith(`-${round}`))
      .map(
        ({ name, state, failure }) => `${name} ${state} ${failure === null ? '' : JSON.stringify(failure)}`,
      )
      .sort()
  }
  const wanted = files.map((name) => `${name}-${round} done `).sort()
  await expect.poll(endings, { timeout: 120_000 }).toEqual(wanted)
}
