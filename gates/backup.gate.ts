import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import {
  createMigrationTable,
  insertMigrationLock,
  knownMigrations,
  migrateIn,
} from '@gantry/control-plane/db/migrate'
import {
  eventually as soon,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { objectPaths } from '../packages/server/src/blocks/block-paths.ts'
import { fileBlocks } from '../packages/server/src/blocks/blocks-files.ts'
import { openDatabase } from '../packages/server/src/database/open.ts'
import {
  backUpTo,
  contentsOf,
  controlPlaneOn,
  type DataLocation,
  restoreFrom,
} from '../packages/server/src/testing/backups.ts'
import { temporaryPostgres } from '../packages/server/src/testing/temporary-postgres.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3
const postgres = await temporaryPostgres()
const here = 'missing' in postgres ? undefined : postgres
if ('missing' in postgres) console.warn(`skipped: backups of PostgreSQL, ${postgres.missing}`)

let folder: string
let count = 0
const newLocation = async (kind: 'embedded' | 'postgres'): Promise<DataLocation> => {
  const dataDir = path.join(folder, `location-${++count}`)
  return { dataDir, database: kind === 'postgres' ? await here?.newDatabase() : undefined }
}
const newFile = (): string => path.join(folder, `backup-${++count}.tgz`)

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-test-'))
})
afterAll(async () => {
  await here?.stop()
  await fs.rm(folder, { recursive: true, force: true })
})

/** A backup and its restore take long on a busy host. */
const eventually = <Value>(look: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> =>
  soon(look, holds, 60_000)

const at = (what: string): string => `/v1/${what}?project=playground`
const bytes = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * seed + (index >> 8)) % 251)

/**
 * A running instance, a disk with bytes at both ends of a hole, a snapshot of it, and a key with unusual
 * characters.
 */
async function furnish(bed: TestBed): Promise<void> {
  const me = await bed.signIn('member')
  const made = await me.post(at('instances'), {
    name: 'web',
    description: 'a\tb\\n"ü\u{1f680}',
    ncpus: 1,
    memory: GiB,
    hostname: 'web',
    boot_disk: {
      type: 'create',
      name: 'web-boot',
      description: '',
      size: GiB,
      disk_source: { type: 'blank', block_size: 512 },
    },
  })
  expect(made.status).toBe(201)
  await eventually(
    async () => {
      bed.pass(1000)
      return (await me.get(at('instances/web'))).body.run_state
    },
    (state) => state === 'running',
  )
  const { content_id } = await bed.db
    .selectFrom('disk')
    .select('content_id')
    .where('name', '=', 'web-boot')
    .executeTakeFirstOrThrow()
  await bed.blocks.write(content_id, 5, bytes(3 * MiB, 7))
  await bed.blocks.write(content_id, GiB - 100, bytes(100, 3))
  await me.post(at('snapshots'), { name: 'before', description: '', disk: 'web-boot' })
  await eventually(
    async () => (await me.get(at('snapshots/before'))).body.state,
    (state) => state === 'ready',
  )
}

async function expectItContinues(kept: DataLocation): Promise<void> {
  const bed = await controlPlaneOn(kept)
  const me = await bed.signIn('member')
  expect((await me.get(at('instances/web'))).body).toMatchObject({
    run_state: 'running',
    description: 'a\tb\\n"ü\u{1f680}',
  })
  for (const table of ['disk', 'snapshot'] as const) {
    const { content_id } = await bed.db.selectFrom(table).select('content_id').executeTakeFirstOrThrow()
    expect(Buffer.from(await bed.blocks.read(content_id, 0, 3 * MiB + 5))).toEqual(
      Buffer.concat([new Uint8Array(5), bytes(3 * MiB, 7)]),
    )
    expect(Buffer.from(await bed.blocks.read(content_id, GiB - 100, 200))).toEqual(Buffer.from(bytes(100, 3)))
    await expect(bed.blocks.size(content_id)).resolves.toBe(GiB)
  }
  // The restored instance continues: it stops on request.
  expect((await me.post(at('instances/web/stop'))).status).toBe(202)
  await eventually(
    async () => {
      bed.pass(1000)
      return (await me.get(at('instances/web'))).body.run_state
    },
    (state) => state === 'stopped',
  )
  await bed.stop()
}

describe.skipIf(!here)('a backup', { timeout: 180_000 }, () => {
  let first: DataLocation
  beforeAll(async () => void (first = await newLocation('embedded')))

  test('of either kind of database can be restored into the other, completely and in working order', async () => {
    const bed = await controlPlaneOn(first)
    await furnish(bed)
    await bed.stop()
    const files = [newFile()]
    await backUpTo(files[0] ?? '', first)
    expect((await fs.stat(files[0] ?? '')).mode & 0o777).toBe(0o600)
    for (const kind of ['postgres', 'embedded'] as const) {
      const location = await newLocation(kind)
      await restoreFrom(files.at(-1) ?? '', location)
      expect((await fs.readdir(location.dataDir)).sort()).toEqual(
        kind === 'embedded' ? ['blocks', 'database'] : ['blocks'],
      )
      const file = newFile()
      await backUpTo(file, location)
      files.push(file)
      await expectItContinues(location)
    }
    const [one, two, three] = await Promise.all(files.map(contentsOf))
    expect(one?.rows.instance).toHaveLength(1)
    expect(one?.rows.console_session).toBeUndefined()
    // The disk, its snapshot, and the smallest of the demo images.
    expect(one?.objects.filter(({ size }) => size === GiB)).toHaveLength(3)
    expect(two).toEqual(one)
    expect(three).toEqual(one)
  })

  test.each(['embedded', 'postgres'] as const)(
    'taken while an %s database is written has the rows of one point in time',
    async (kind) => {
      const location = kind === 'embedded' ? first : await newLocation(kind)
      const bed = await controlPlaneOn(location)
      const me = await bed.signIn('admin')
      const over = new AbortController()
      onTestFinished(() => over.abort())
      let made = 0
      const work = (async () => {
        while (!over.signal.aborted) {
          const { status } = await me.post('/v1/projects', { name: `p-${++made}`, description: '' })
          expect(status).toBe(201)
        }
      })()
      await eventually(
        async () => made,
        (number) => number > 5,
      )
      const file = newFile()
      await backUpTo(file, location)
      over.abort()
      await work
      await bed.stop()
      expect(await fs.readdir(path.join(location.dataDir, 'blocks', 'unfinished'))).toEqual([])
      expect((await fs.readdir(location.dataDir)).filter((name) => name.startsWith('database-'))).toEqual([])

      const { rows } = await contentsOf(file)
      const projects = rows.project?.length ?? 0
      expect(projects).toBeGreaterThan(5)
      expect(projects).toBeLessThanOrEqual(made + 1)
      // Each was created with its network in one transaction: all of it exists, or nothing.
      expect(rows.vpc).toHaveLength(projects)
      expect(rows.vpc_subnet).toHaveLength(projects)
      expect(rows.change?.filter((row) => JSON.parse(row).kind === 'project')).toHaveLength(projects)
    },
  )

  test('includes what is deleted meanwhile, if the rows refer to it', async () => {
    const location = await newLocation('postgres')
    const bed = await controlPlaneOn(location)
    const me = await bed.signIn('member')
    const create = (name: string) =>
      me.post(at('disks'), {
        name,
        description: '',
        size: GiB,
        disk_source: { type: 'blank', block_size: 512 },
      })
    await create('gone')
    await eventually(
      async () => (await me.get(at('disks/gone'))).body.state.state,
      (state) => state === 'detached',
    )
    const { content_id } = await bed.db.selectFrom('disk').select('content_id').executeTakeFirstOrThrow()
    await bed.blocks.write(content_id, 0, bytes(MiB, 5))
    const file = newFile()
    const done = backUpTo(file, location)
    // Links are created first: from then on deletion cannot affect the backup.
    await eventually(
      () => fs.readdir(path.join(location.dataDir, 'blocks', 'unfinished')),
      ([held]) => held !== undefined,
    )
    await eventually(
      () => fs.readdir(path.join(location.dataDir), { recursive: true }),
      (names) => names.some((name) => name.includes('backup-') && name.endsWith(`${content_id}/written`)),
    )
    await bed.blocks.remove(content_id)
    await done
    await bed.stop()
    const { objects } = await contentsOf(file)
    expect(objects.find(({ id }) => id === content_id)?.pieces).toHaveLength(1)
  })

  test('releases a claimed job, and everything waiting for its lease', async () => {
    const location = await newLocation('postgres')
    await (await controlPlaneOn(location)).stop()
    const { dialect, close } = await openDatabase({ url: location.database ?? '' })
    const db = new Kysely({ dialect })
    await sql`INSERT INTO job (id, kind, args, state, run_at, lease_until, time_created) VALUES
    (gen_random_uuid(), 'content-removal', json_build_object('content_id', gen_random_uuid()), 'pending', now(), now() + interval '1 day', now())`.execute(
      db,
    )
    await close()
    const file = newFile()
    await backUpTo(file, location)
    const target = await newLocation('postgres')
    await restoreFrom(file, target)
    const restored = await controlPlaneOn(target)
    const states = async () =>
      (
        await restored.db.selectFrom('job').select('state').where('kind', '=', 'content-removal').execute()
      ).map(({ state }) => state)
    expect(await eventually(states, ([state]) => state === 'done')).toEqual(['done'])
    await restored.stop()
  })

  test('a database of an earlier version is migrated with all its contents', async () => {
    const location = await newLocation('postgres')
    const { dialect, close } = await openDatabase({ url: location.database ?? '' })
    const db = new Kysely<never>({ dialect })
    const old = knownMigrations.slice(0, 3)
    await createMigrationTable.execute(db)
    await insertMigrationLock.execute(db)
    await migrateIn(db, [], old)
    await sql`INSERT INTO vpc (id, time_created, time_modified, name, description, project_id, system_router_id,
    ipv6_prefix, dns_name, vni) VALUES (gen_random_uuid(), now(), now(), 'old', '', gen_random_uuid(),
    gen_random_uuid(), 'fd00::/48', 'old', 7)`.execute(db)
    await close()
    await fileBlocks(path.join(location.dataDir, 'blocks'))
    const file = newFile()
    await backUpTo(file, location)
    const { rows } = await contentsOf(file)
    expect(rows.vpc_firewall).toBeUndefined()

    const target = await newLocation('postgres')
    const { manifest } = await restoreFrom(file, target)
    expect(manifest.migrations).toEqual(old)
    const opened = await openDatabase({ url: target.database ?? '' })
    const bed = await testControlPlane({ dialect: opened.dialect })
    // A later migration creates one for each existing network.
    expect(await bed.db.selectFrom('vpc_firewall').selectAll().execute()).toHaveLength(2)
    expect(await bed.db.selectFrom('vpc').select('name').orderBy('vni').execute()).toContainEqual({
      name: 'old',
    })
    await bed.stop()
  })
})

test('without hard links, a deletion during a backup leaves out one object, not all of them', async () => {
  const kept = await newLocation('embedded')
  const bed = await controlPlaneOn(kept)
  const { content_id } = await bed.db.selectFrom('image').select('content_id').executeTakeFirstOrThrow()
  await bed.stop()
  const links = vi
    .spyOn(fs, 'link')
    .mockRejectedValue(Object.assign(new Error('no links'), { code: 'EPERM' }))
  const { folder } = objectPaths(path.join(kept.dataDir, 'blocks'), content_id)
  // It goes when the rows are written, and the first object is read.
  const turn = vi.spyOn(fs, 'utimes').mockImplementationOnce(() => fs.rm(folder, { recursive: true }))
  const file = newFile()
  await expect(backUpTo(file, kept)).resolves.toMatchObject({ without: 1, lost: 0 })
  for (const spy of [links, turn]) spy.mockRestore()
})
