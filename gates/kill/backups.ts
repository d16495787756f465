import { createHash, randomBytes } from 'node:crypto'
import path from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { fileBlocks } from '../../packages/server/src/blocks/blocks-files.ts'
import { folderStore } from '../../packages/server/src/backup-stores/folder-store.ts'
import { pause, seeded } from './chance.ts'
import type { Database, Installation } from './installation.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3
const instances = ['one', 'two', 'three'] as const
const imageBytes = 16 * MiB
/** Kills during each step of a round. */
const killsEach = 3
const settleMs = 120_000
const target = 'killed'

interface Backup {
  id: string
  name: string
  state: string
  failure: unknown
  instance_name: string
  time_verified: string | null
  disks: { disk_id: string }[]
}
interface Task {
  kind: string
  state: string
  object: { name: string } | null
}

/**
 * Backs instances up, verifies, restores and deletes the backups while the server is killed at random moments, round
 * after round. Returns what was done twice or by half, is damaged, or is left over.
 */
export async function backupsThroughKills(installation: Installation, rounds: number): Promise<string[]> {
  const { gantry, look } = installation
  const chance = seeded(20_261_201)
  const wrong: string[] = []
  await gantry.start()
  const client = new Client(gantry)
  const world = await prepare(client)
  const { send, ask, at } = world
  const store = () => folderStore(path.join(gantry.backupsFolder, target), new AbortController().signal)
  const backups = async (): Promise<Backup[]> =>
    (await client.read<{ items: Backup[] }>(`${at('instance-backups')}&limit=1000`)).items

  /** Sends requests of which all but the first may lose their answers, and kills the server meanwhile. */
  async function killDuring(requests: readonly (() => Promise<boolean>)[]): Promise<boolean[]> {
    const [first, ...others] = requests
    const answers = [await first?.()]
    const asked = others.map((request) =>
      request().catch((error: unknown) => {
        // Without an answer, it may have been carried out or not.
        if (error instanceof TypeError) return false
        throw error
      }),
    )
    await pause(chance() * 600)
    for (let kill = 0; kill < killsEach; kill++) {
      await gantry.kill('SIGKILL')
      await gantry.start()
      await pause(chance() * 1200)
    }
    return [...answers, ...(await Promise.all(asked))].map((answer) => answer === true)
  }
  /** All that was begun has ended, by the states of backups and by the tasks. */
  async function settled(during: string): Promise<void> {
    const open = async (): Promise<string[]> => [
      ...(await backups()).flatMap(({ name, state }) =>
        state === 'creating' || state === 'verifying' ? [`${name} is ${state}`] : [],
      ),
      ...(
        await client.read<{ items: Task[] }>(`/ext/v1/tasks?project=${world.project}&state=open&limit=100`)
      ).items.map(({ kind, object }) => `${kind} of ${object?.name} runs`),
    ]
    await expect.poll(open, { timeout: settleMs, interval: 250, message: `while it ${during}` }).toEqual([])
  }
  async function allReady(during: string): Promise<Backup[]> {
    await settled(during)
    const found = await backups()
    for (const { name, state, failure } of found)
      if (state !== 'ready') wrong.push(`${name} is ${state} after it ${during}: ${JSON.stringify(failure)}`)
    return found
  }

  for (let round = 1; round <= rounds; round++) {
    const names = instances.map((name) => `${name}-${round}`)
    const gone = `gone-${round}`
    const backUp = (instance: string, name: string) => () =>
      ask('POST', at('instance-backups'), bodyOf(instance, name))
    await send('POST', at('instance-backups'), bodyOf('two', gone))
    const answered = await killDuring([
      ...instances.map((name) => backUp(name, `${name}-${round}`)),
      // Cancelled, wherever it is by then.
      () => ask('DELETE', at(`instance-backups/${gone}`)),
    ])
    let present = new Set((await allReady('backed up')).map(({ name }) => name))
    for (const [index, name] of [...names, gone].entries()) {
      const isThere = present.has(name)
      if (answered[index] && isThere === (name === gone))
        wrong.push(`${name} was acknowledged, and is ${isThere ? 'there' : 'missing'}`)
    }
    for (const [index, name] of names.entries())
      if (!present.has(name)) await send('POST', at('instance-backups'), bodyOf(instances[index] ?? '', name))
    if (present.has(gone)) await send('DELETE', at(`instance-backups/${gone}`))
    const held = await allReady('backed up again')

    const [one = '', two = '', three = ''] = names
    const disk_id = held.find(({ name }) => name === one)?.disks[0]?.disk_id
    const restore = (name: string, body: object) => () =>
      ask('POST', at(`instance-backups/${name}/restore`), body)
    const restores = [
      restore(one, { type: 'instance', name: `again-${round}`, start: false }),
      restore(one, { type: 'disk', disk_id, name: `disk-${round}` }),
      restore(three, { type: 'in_place', keep_present: false }),
    ]
    const [verified, ...restored] = await killDuring([
      () => ask('POST', at(`instance-backups/${two}/verify`)),
      ...restores,
    ])
    for (const { name, time_verified } of await allReady('verified and restored'))
      if (name === two && verified && time_verified === null) wrong.push(`${name} was not verified`)
    const restoredNames = await world.names()
    for (const [index, name] of [`again-${round}`, `disk-${round}`].entries()) {
      if (restoredNames.has(name)) continue
      if (restored[index]) wrong.push(`${name} was acknowledged, and was not restored`)
      else await restores[index]?.()
    }
    if (!restored[2]) await restores[2]?.()
    await allReady('restored again')

    // Its pieces go, and are sent anew in the next round.
    await killDuring([() => ask('DELETE', at(`instance-backups/${one}`))])
    present = new Set((await allReady('deleted')).map(({ name }) => name))
    if (present.has(one)) wrong.push(`${one} was deleted, and is there`)
  }

  // Every backup that says that it is done can be read in full.
  const kept = await allReady('ended')
  if (kept.length !== 2 * rounds) wrong.push(`${kept.length} backups instead of ${2 * rounds}`)
  const listed = async () =>
    (await store().list('manifests/', undefined)).map((name) => name.slice(-36)).sort()
  // The removal of what was deleted last may still run.
  await expect.poll(listed, { timeout: settleMs }).toEqual(kept.map(({ id }) => id).sort())
  const begun = new Date()
  for (const { name } of kept) await send('POST', at(`instance-backups/${name}/verify`))
  for (const { name, time_verified } of await allReady('verified'))
    if (!time_verified || new Date(time_verified) < begun) wrong.push(`${name} was not verified`)
  // Without them, nothing is left in the target.
  for (const { name } of kept) await send('DELETE', at(`instance-backups/${name}`))
  const remainder = async (): Promise<number[]> =>
    Promise.all(
      ['chunks/', 'index/', 'manifests/'].map(async (part) => (await store().list(part, undefined)).length),
    )
  await expect.poll(remainder, { timeout: settleMs }).toEqual([0, 0, 0])
  await pause(3000)
  await gantry.kill('SIGKILL')
  return look(async (db) => [
    ...wrong,
    ...(await tableProblems(db, world.project)),
    ...(await byteProblems(db, installation, world)),
  ])
}

const bodyOf = (instance: string, name: string) => ({
  name,
  description: '',
  instance,
  backup_target: target,
})

interface World {
  project: string
  /** The bytes of the only disk of each instance. */
  bytes: ReadonlyMap<string, Buffer>
  /** A path of ours in the project. */
  at: (what: string) => string
  /** Of instances and disks. */
  names: () => Promise<ReadonlySet<string>>
  send: <Answer>(method: string, where: string, body?: object) => Promise<Answer>
  /** Whether it was done; throws without an answer. */
  ask: (method: string, where: string, body?: object) => Promise<boolean>
}

/** Stopped instances, each with a disk of its own bytes, and a target. */
async function prepare(client: Client): Promise<World> {
  await client.signIn()
  async function send<Answer>(method: string, where: string, body?: object): Promise<Answer> {
    const response = await client.send(method, where, body)
    const text = await response.text()
    expect(response.ok, `${method} ${where} answered ${response.status}: ${text}`).toBe(true)
    return JSON.parse(text || '{}') as Answer
  }
  const ask = async (method: string, where: string, body?: object): Promise<boolean> => {
    const response = await client.send(method, where, body)
    const text = await response.text().catch(() => {
      throw new TypeError('the answer broke off')
    })
    if (response.ok) return true
    // "Not now" is a valid answer of a server that starts or ends.
    expect(response.status, `${method} ${where}: ${text}`).toBe(503)
    return false
  }
  await send('POST', '/ext/v1/system/backup-targets', {
    name: target,
    description: '',
    store: { type: 'folder', folder: target },
  })
  const { id: project } = await send<{ id: string }>('POST', '/v1/projects', {
    name: 'backed-up',
    description: '',
  })
  const bytes = new Map<string, Buffer>()
  for (const name of instances) {
    const own = randomBytes(imageBytes)
    bytes.set(name, own)
    const image_id = await uploadImage(client, send, { project, name, bytes: own })
    await send('POST', `/v1/instances?project=${project}`, {
      name,
      description: '',
      hostname: name,
      ncpus: 1,
      memory: GiB,
      start: false,
      boot_disk: {
        type: 'create',
        name: `${name}-boot`,
        description: '',
        size: GiB,
        disk_source: { type: 'image', image_id },
      },
    })
  }
  const names = async () => {
    const paths = ['instances', 'disks'].map((kind) => `/v1/${kind}?project=${project}&limit=1000`)
    const lists = await Promise.all(paths.map((where) => client.read<{ items: { name: string }[] }>(where)))
    return new Set(lists.flatMap(({ items }) => items.map(({ name }) => name)))
  }
  return { project, bytes, at: (what) => `/ext/v1/${what}?project=${project}`, names, send, ask }
}

async function uploadImage(
  client: Client,
  send: World['send'],
  { project, name, bytes }: { project: string; name: string; bytes: Buffer },
): Promise<string> {
  const uploads = '/ext/v1/image-uploads'
  const { id } = await send<{ id: string }>('POST', `${uploads}?project=${project}`, {
    name,
    description: '',
    os: 'none',
    version: '1',
    block_size: 512,
    size: bytes.length,
  })
  for (let offset = 0; offset < bytes.length; offset += 2 * MiB) {
    const part = bytes.subarray(offset, offset + 2 * MiB)
    const headers = {
      'content-type': 'application/octet-stream',
      'content-digest': `sha-256=:${createHash('sha256').update(part).digest('base64')}:`,
    }
    const where = `${uploads}/${id}/content?offset=${offset}`
    const answer = await client.request('PUT', where, { bytes: new Uint8Array(part), headers })
    expect(answer.status, await answer.text()).toBeLessThan(300)
  }
  await send('POST', `${uploads}/${id}/complete`)
  let image = ''
  await expect
    .poll(
      async () => {
        const view = await client.read<{ state: string; image_id: string | null }>(`${uploads}/${id}`)
        image = view.image_id ?? ''
        return view.state
      },
      { timeout: 60_000 },
    )
    .toBe('done')
  return image
}

/** Contradictions within the tables, and work that never ended. */
async function tableProblems(db: Database, project: string): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    SELECT 'work on ' || instance_backup_id AS what FROM backup_work
    UNION ALL SELECT 'restore of ' || backup_name || ' is ' || state || ' ' || coalesce(failure::text, '')
      FROM instance_backup_restore WHERE state <> 'done'
    UNION ALL SELECT r.wanted->>'name' || ': ' || count(d.id) || ' disks of one' FROM instance_backup_restore r
      CROSS JOIN LATERAL jsonb_array_elements(r.disks) f
      LEFT JOIN disk d ON d.snapshot_id = (f->>'snapshot_id')::uuid
      WHERE r.wanted->>'type' <> 'in_place' GROUP BY r.id, r.wanted, f HAVING count(d.id) <> 1
    UNION ALL SELECT name || ': ' || count(*) || ' instances' FROM instance WHERE project_id = ${project}
      GROUP BY name HAVING count(*) > 1
    UNION ALL SELECT 'instance snapshot ' || name FROM instance_snapshot WHERE time_deleted IS NULL
    UNION ALL SELECT 'snapshot ' || name FROM snapshot WHERE time_deleted IS NULL AND project_id = ${project}
    UNION ALL SELECT 'disk ' || name || ' is ' || state FROM disk WHERE time_deleted IS NULL
      AND project_id = ${project} AND state NOT IN ('attached', 'detached')
    UNION ALL SELECT 'job ' || kind || ' is ' || state || ' ' || coalesce(failure::text, '') FROM job
      WHERE (kind LIKE 'instance-%' OR kind = 'backup-collection') AND state <> 'done'
    UNION ALL SELECT 'the target is being collected' FROM backup_target_inner
      WHERE collecting IS NOT NULL OR collect_since IS NOT NULL
    UNION ALL SELECT 'storage ' || v.storage || ' of ' || sum(d.size) FROM provisioning v
      JOIN disk d ON d.project_id = v.id AND d.time_deleted IS NULL WHERE v.id = ${project}
      GROUP BY v.storage HAVING v.storage <> sum(d.size)
    UNION ALL SELECT 'nothing was restored ' || type FROM unnest(ARRAY['instance', 'disk', 'in_place']) type
      WHERE NOT EXISTS (SELECT FROM instance_backup_restore r WHERE r.wanted->>'type' = type)`.execute(db)
  return rows.map(({ what }) => what)
}

/** Every disk has the bytes of the image that its first one was made of, and the store has no other bytes. */
async function byteProblems(
  db: Database,
  { gantry, contents }: Installation,
  { project, bytes }: World,
): Promise<string[]> {
  const { rows: disks } = await sql<{ name: string; content_id: string }>`
    SELECT name, content_id FROM disk WHERE project_id = ${project} AND time_deleted IS NULL`.execute(db)
  const { rows: known } = await sql<{ id: string }>`
    SELECT content_id AS id FROM disk WHERE time_deleted IS NULL
    UNION SELECT content_id FROM image WHERE time_deleted IS NULL`.execute(db)
  const blocks = await fileBlocks(path.join(gantry.dataDir, 'blocks'))
  const wrong: string[] = []
  for (const { name, content_id } of disks) {
    const source = /^(?:again|disk)-/.test(name) ? 'one' : name.replace(/-boot$/, '')
    const expected = bytes.get(source)
    const found = await blocks.read(content_id, 0, imageBytes).catch(() => new Uint8Array(0))
    if (!expected?.equals(found)) wrong.push(`disk ${name} does not have the bytes of ${source}`)
  }
  const ids = new Set(known.map(({ id }) => id))
  return [...wrong, ...contents().flatMap((id) => (ids.has(id) ? [] : [`the bytes ${id} are left over`]))]
}
