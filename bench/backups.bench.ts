import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  type Caller,
  eventually,
  type TestBed,
  testControlPlane,
} from '@gantry/control-plane/testing/control-plane'
import { withoutBin } from '@gantry/control-plane/testing/environment'
import { hostBackupStores } from '../packages/server/src/backup-stores/backup-stores.ts'
import { s3Secret, s3Server } from '../packages/server/src/backup-stores/s3-server.fixtures.ts'
import { type FileBlocks, fileBlocks } from '../packages/server/src/blocks/blocks-files.ts'
import { openDatabase } from '../packages/server/src/database/open.ts'
import { table } from './measure.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3
/** Bytes that each disk of 1 GiB holds; the rest was never written. */
const written = Number(process.env['GANTRY_BENCH_MIB'] ?? 512) * MiB
/** Pieces of 1 MiB that change before the second backup, at equal distances. */
const changed = 8
const place = 'project=playground'
const mostMs = 600_000

const contents = {
  random: (): Buffer => randomBytes(MiB),
  /** Lines such as programs log. */
  log(): Buffer {
    const lines: string[] = []
    for (let size = 0; size < MiB; size += lines.at(-1)?.length ?? 0) {
      const random = randomBytes(12)
      const [id, took] = [random.toString('hex', 0, 8), random.readUInt16LE(8)]
      lines.push(
        `{"level":"info","time":"2026-11-30T19:${took % 60}","request":"${id}","took_ms":${took},"msg":"answered"}\n`,
      )
    }
    return Buffer.from(lines.join('').slice(0, MiB))
  },
}

/** Backups of a stopped instance of the simulated rack, whose disk is a file, to a folder and to a server of S3. */
export default async function measure(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gantry-bench-'))
  const s3 = await s3Server(folder)
  const settings = {
    ...withoutBin,
    egress: { allowed_networks: ['127.0.0.0/8'] },
    backups: { at_once: 2, folder: path.join(folder, 'backups') },
  }
  const { dialect } = await openDatabase({ dataDir: path.join(folder, 'data') })
  const blocks = await fileBlocks(path.join(folder, 'blocks'))
  const environment = { blocks, settings, backupStores: hostBackupStores(settings) }
  const bed = await testControlPlane({ dialect, environment })
  try {
    const operator = await bed.signIn('admin')
    const stores = {
      folder: { type: 'folder', folder: 'bench' },
      bucket: {
        type: 's3',
        endpoint: `http://127.0.0.1:${s3.port}`,
        region: 'us-east-1',
        bucket: 'backups',
        prefix: 'bench',
        path_style: true,
        access_key_id: 'S3RVER',
        secret: s3Secret,
      },
    }
    for (const [name, store] of Object.entries(stores))
      await sent(operator, '/ext/v1/system/backup-targets', { name, description: '', store })
    console.log(`a disk of 1 GiB with ${written / MiB} MiB written, read by a server that does nothing else`)
    for (const kind of ['random', 'log'] as const)
      for (const target of ['folder', 'bucket']) table(await measured({ bed, blocks, kind, target }))
  } finally {
    await bed.stop()
    await s3.close()
    await rm(folder, { recursive: true, force: true })
  }
}

type Row = Record<'bytes' | 'target' | 'what' | 's' | 'MB/s' | 'stored MB' | 'ratio', string | number>

interface Measured {
  bed: TestBed
  blocks: FileBlocks
  kind: keyof typeof contents
  target: string
}

async function measured({ bed, blocks, kind, target }: Measured): Promise<Row[]> {
  const me = await bed.signIn('member')
  const name = `${kind}-${target}`
  const disk_source = { type: 'blank', block_size: 512 }
  await sent(me, `/v1/disks?${place}`, { name, description: '', size: GiB, disk_source })
  const content = await eventually(
    () =>
      bed.db.selectFrom('disk').select(['content_id', 'state']).where('name', '=', name).executeTakeFirst(),
    (disk) => disk?.state === 'detached',
  )
  const id = content?.content_id ?? ''
  for (let at = 0; at < written; at += MiB) await blocks.write(id, at, contents[kind]())
  const machine = { description: '', hostname: name, ncpus: 1, memory: GiB, start: false }
  await sent(me, `/v1/instances?${place}`, { name, ...machine, disks: [{ type: 'attach', name }] })

  const backups = '/ext/v1/instance-backups'
  const taken = async (what: string): Promise<Row> => {
    const began = performance.now()
    const own = `${name}-${what}`
    const body = { name: own, description: '', instance: name, backup_target: target }
    await sent(me, `${backups}?${place}`, body)
    const { stored } = await ready(me, `${backups}/${own}?${place}`)
    return rowOf(`${what} backup`, began, stored)
  }
  const rowOf = (what: string, began: number, stored?: number): Row => {
    const seconds = (performance.now() - began) / 1000
    return {
      bytes: kind,
      target,
      what,
      s: seconds.toFixed(1),
      'MB/s': Math.round(written / 1e6 / seconds),
      'stored MB': stored === undefined ? '' : (stored / 1e6).toFixed(1),
      ratio: stored ? (written / stored).toFixed(1) : '',
    }
  }
  const rows = [await taken('first')]
  for (let at = 0; at < written; at += written / changed) await blocks.write(id, at, contents[kind]())
  rows.push(await taken('second'), await taken('unchanged'))

  let began = performance.now()
  const first = `${backups}/${name}-first`
  await sent(me, `${first}/verify?${place}`)
  await ready(me, `${first}?${place}`)
  rows.push(rowOf('verification', began))
  began = performance.now()
  await sent(me, `${first}/restore?${place}`, { type: 'instance', name: `${name}-again` })
  await eventually(
    async () => (await me.get(`/ext/v1/tasks?kind=instance-backup-restore&state=open`)).body.items,
    (open: unknown[]) => open.length === 0,
    mostMs,
  )
  rows.push(rowOf('restore', began))
  return rows
}

async function sent(caller: Caller, where: string, body?: object): Promise<void> {
  const { status, body: answer } = await caller.post(where, body)
  if (status >= 300) throw new Error(`${where} answered ${status}: ${JSON.stringify(answer)}`)
}

const ready = (me: Caller, where: string): Promise<{ state: string; stored: number }> =>
  eventually(
    async () => (await me.get(where)).body,
    ({ state }) => state === 'ready' || state === 'faulted',
    mostMs,
  )
