import { createHash } from 'node:crypto'
import { qcow2Of } from '@gantry/control-plane/modules/instance-files/write/qcow2'
import { tarWithDigests, textEntry } from '@gantry/control-plane/modules/instance-files/write/tar'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { pause, seeded } from './chance.ts'
import type { Installation } from './installation.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3
const pieceBytes = 4 * MiB
/** What is written of the disk: enough that a kill falls between its first and its last byte. */
const written = 48 * MiB
/** Kills while the imports of a round run. */
const killsEach = 3
const uploads = '/ext/v1/image-uploads'

/** The image of a disk whose blocks all differ, at its beginning. */
const image = () =>
  qcow2Of({
    size: GiB,
    written: (offset) => offset < written,
    async read(offset, length) {
      const bytes = Buffer.alloc(length)
      for (let at = 0; at < length && offset + at < written; at += 4096) bytes.write(`at ${offset + at}`, at)
      return new Uint8Array(bytes.buffer, bytes.byteOffset, length)
    },
  })

async function archive(): Promise<Buffer<ArrayBuffer>> {
  const disk = {
    name: 'boot',
    description: '',
    file: 'web-disk1.qcow2',
    size: GiB,
    block_size: 512,
    is_boot: true,
    read_only: false,
    hardware: null,
  }
  const description = {
    format: 'gantry-instance',
    version: 1,
    time: '',
    name: 'web',
    description: '',
    hostname: 'web',
    ncpus: 1,
    memory: GiB,
    auto_restart_policy: null,
    cpu_platform: null,
    hardware: null,
    disks: [disk],
    network_interfaces: [],
    tags: {},
  }
  const entries = [
    textEntry('instance.json', JSON.stringify(description)),
    { name: disk.file, ...(await image()) },
  ]
  const last = { name: 'SHA256SUMS', line: (name: string, hex: string) => `${hex}  ${name}\n` }
  const pieces: Uint8Array[] = []
  for await (const piece of tarWithDigests(entries, last, new Date(0)).pieces()) pieces.push(piece)
  return Buffer.concat(pieces)
}

interface Upload {
  id: string
  name: string
  state: string
  failure: unknown
}

/**
 * Imports instances while the server is killed at random moments, round after round. Returns what is not there, differs
 * from the file, or is left over.
 */
export async function instanceImportsThroughKills(
  installation: Installation,
  rounds: number,
): Promise<string[]> {
  const { gantry, look, contents } = installation
  const chance = seeded(20_261_201)
  const file = await archive()
  await gantry.start()
  const client = new Client(gantry)
  await client.signIn()
  const send = async (method: string, path: string, body?: object): Promise<Record<string, string>> => {
    const response = await client.send(method, path, body)
    const text = await response.text()
    expect(response.ok, `${method} ${path} answered ${response.status}: ${text}`).toBe(true)
    return JSON.parse(text || '{}') as Record<string, string>
  }
  const sent = async (name: string): Promise<string> => {
    const about = { name, description: '', os: '', version: '', block_size: 512, size: file.length }
    const { id = '' } = await send('POST', `${uploads}?project=moved`, { ...about, purpose: 'instance' })
    for (let offset = 0; offset < file.length; offset += pieceBytes) {
      const bytes = file.subarray(offset, offset + pieceBytes)
      const digest = createHash('sha256').update(bytes).digest('base64')
      const headers = { 'content-type': 'application/octet-stream', 'content-digest': `sha-256=:${digest}:` }
      const path = `${uploads}/${id}/content?offset=${offset}`
      expect((await client.request('PUT', path, { bytes, headers })).status).toBe(204)
    }
    return id
  }
  const names: string[] = []
  let interrupted = 0
  await send('POST', '/v1/projects', { name: 'moved', description: '' })
  for (let round = 1; round <= rounds; round++) {
    const ids = [await sent(`one-${round}`), await sent(`two-${round}`), await sent(`gone-${round}`)]
    const [one = '', two = '', gone = ''] = ids
    const begin = (id: string, name: string) => client.send('POST', `${uploads}/${id}/instance`, { name })
    expect((await begin(one, `one-${round}`)).status).toBe(202)
    expect((await begin(gone, `gone-${round}`)).status).toBe(202)
    names.push(`one-${round}`, `two-${round}`)
    await pause(chance() * 1500)
    // Wherever it is by then.
    const isCancelled = (await client.send('DELETE', `${uploads}/${gone}`)).ok
    if (!isCancelled) names.push(`gone-${round}`)
    // The answer to this one may be lost.
    const asked = begin(two, `two-${round}`).catch(() => undefined)
    for (let kill = 0; kill < killsEach; kill++) {
      await pause(chance() * 1200)
      const { items } = await client.read<{ items: Upload[] }>(`${uploads}?project=moved&limit=1000`)
      interrupted += items.filter(({ state }) => state === 'converting').length
      await gantry.kill('SIGKILL')
      await gantry.start()
    }
    await asked
    const open = async (): Promise<string[]> => {
      const { items } = await client.read<{ items: Upload[] }>(`${uploads}?project=moved&limit=1000`)
      for (const { id, name, state, failure } of items) {
        expect(failure ?? null, name).toBeNull()
        // Nothing is known of a request that was not recorded: it is sent again.
        if (state === 'open' && id === two) await begin(id, name)
      }
      return items.flatMap(({ name, state }) => (state === 'done' ? [] : [`${name} ${state}`]))
    }
    await expect.poll(open, { timeout: 120_000, interval: 500 }).toEqual([])
  }
  // The bytes of the last one, by what an export of it says of them.
  const copied = async (): Promise<string[]> => {
    const { items } = await client.read<{ items: { name: string; state: { state: string } }[] }>(
      '/v1/disks?project=moved&limit=1000',
    )
    return items.flatMap(({ name, state }) => (state.state === 'attached' ? [] : [`${name} ${state.state}`]))
  }
  await expect.poll(copied, { timeout: 60_000 }).toEqual([])
  await send('POST', '/ext/v1/instance-snapshots?project=moved', {
    name: 'check',
    description: '',
    instance: names.at(-1) ?? '',
  })
  const state = async () =>
    (await client.read<{ state: string }>('/ext/v1/instance-snapshots/check?project=moved')).state
  await expect.poll(state, { timeout: 60_000 }).toBe('ready')
  const exported = await client.send('GET', '/ext/v1/instance-snapshots/check/export?project=moved')
  const sums = (bytes: Buffer): string =>
    /^[0-9a-f]{64} {2}.*disk1\.qcow2$/m.exec(bytes.subarray(-4096).toString('latin1'))?.[0].slice(0, 64) ?? ''
  const wrong =
    sums(Buffer.from(await exported.arrayBuffer())) === sums(file) && sums(file) !== ''
      ? []
      : ['the disk holds other bytes than the file']
  if (interrupted === 0) wrong.push('no import was interrupted')
  await send('DELETE', '/ext/v1/instance-snapshots/check?project=moved')
  await pause(3000)
  await gantry.kill('SIGKILL')
  return look(async (db) => {
    const { rows } = await sql<{ what: string }>`
      WITH moved AS (SELECT id FROM project WHERE name = 'moved')
      SELECT 'import ' || upload_id AS what FROM instance_import
      UNION ALL SELECT 'snapshot ' || name FROM instance_snapshot WHERE time_deleted IS NULL
        AND project_id = (SELECT id FROM moved)
      UNION ALL SELECT 'snapshot ' || name FROM snapshot WHERE time_deleted IS NULL
        AND project_id = (SELECT id FROM moved)
      UNION ALL SELECT 'upload ' || u.name || ' without its instance' FROM image_upload u
        LEFT JOIN instance i ON i.id = u.instance_id AND i.time_deleted IS NULL
        WHERE u.state = 'done' AND i.id IS NULL
      UNION ALL SELECT 'ranges of ' || upload_id FROM image_upload_range
      UNION ALL SELECT 'job ' || kind || ' ' || state FROM job WHERE kind = 'instance-import' AND state <> 'done'
      UNION ALL SELECT 'storage ' || v.storage FROM provisioning v JOIN moved ON moved.id = v.id
        WHERE v.storage <> ${names.length * GiB}`.execute(db)
    const made = await sql<{ name: string }>`SELECT name FROM instance WHERE time_deleted IS NULL
      AND project_id = (SELECT id FROM project WHERE name = 'moved') ORDER BY name`.execute(db)
    const kept = await sql<{ id: string }>`
      SELECT content_id AS id FROM disk WHERE time_deleted IS NULL
      UNION SELECT content_id FROM image WHERE time_deleted IS NULL
      UNION SELECT content_id FROM snapshot WHERE time_deleted IS NULL`.execute(db)
    const known = new Set(kept.rows.map(({ id }) => id))
    expect(made.rows.map(({ name }) => name)).toEqual(names.toSorted())
    return [
      ...wrong,
      ...rows.map(({ what }) => what),
      ...contents().flatMap((id) => (known.has(id) ? [] : [`the bytes ${id} are left over`])),
    ]
  })
}
