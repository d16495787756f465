import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { GiB, MiB } from '@gantry/api/base/bytes.rules'
import { eventually, type TestBed, testControlPlane } from '@gantry/control-plane/testing/control-plane'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../packages/server/src/database/open.ts'
import { backUpTo, restoreFrom } from '../../packages/server/src/testing/backups.ts'
import { guestSector } from '../../packages/server/src/testing/guest/sector.ts'
import {
  missingForQemu,
  realFleet,
  type RealFleet,
  volumeFileIn,
  volumesIn,
} from '../../packages/server/src/testing/qemu.ts'

const missing = await missingForQemu()

if (missing) console.warn(`skipped: backups of real machines, ${missing}`)

const BOOT_MS = 60_000
const DATA_AT = 100 * MiB
const at = (what: string): string => `/v1/${what}?project=playground`

interface Installation {
  real: RealFleet
  bed: TestBed
  /** Leaves the machines running. */
  close: () => Promise<void>
}

async function open(dataDir: string): Promise<Installation> {
  await fs.mkdir(dataDir, { recursive: true })
  const { dialect } = await openDatabase({ dataDir })
  const real = await realFleet({ dataDir })
  const { blocks, driver } = real
  const bed = await testControlPlane({ dialect, environment: { blocks, fleet: driver.fleet } })
  return {
    real,
    bed,
    async close() {
      await bed.stop()
      await driver.close()
    },
  }
}

describe.skipIf(missing)('a backup of real machines', { timeout: 300_000 }, () => {
  let folder: string
  let first: Installation
  const bytes = randomBytes(MiB)
  /** The disk of a running instance, with bytes behind a hole. */
  let volume: string

  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-backup-'))
    first = await open(path.join(folder, 'first'))
    const { bed, real } = first
    const member = await bed.signIn('member')
    const disk = { name: 'boot', description: '', size: GiB, disk_source: { type: 'blank', block_size: 512 } }
    await member.post(at('disks'), disk)
    const row = () => bed.db.selectFrom('disk').select(['content_id', 'state']).executeTakeFirst()
    await eventually(row, (seen) => seen?.state === 'detached')
    volume = (await row())?.content_id ?? ''
    await real.fleet.volumes.write(volume, 0, guestSector)
    await real.fleet.volumes.write(volume, DATA_AT, bytes)
    await member.post(at('instances'), {
      name: 'web',
      description: '',
      hostname: 'web',
      ncpus: 1,
      memory: GiB,
      network_interfaces: { type: 'none' },
      boot_disk: { type: 'attach', name: 'boot' },
    })
    await becomes(bed, 'running')
  })
  afterEach(async () => {
    const { machines } = first.real.fleet
    await machines.destroy(await machines.list(undefined, 1000)).catch(() => {})
    await fs.rm(folder, { recursive: true, force: true })
  })

  const becomes = (bed: TestBed, state: string) =>
    eventually(
      () => bed.db.selectFrom('instance').select(['run_state', 'failure']).executeTakeFirst(),
      (seen) => seen?.run_state === state,
      BOOT_MS,
    )

  /** What a restored installation has on the disk. */
  async function read(dataDir: string): Promise<Uint8Array[]> {
    const file = await fs.open(volumeFileIn(dataDir, volume))
    const [sector, data] = [Buffer.alloc(guestSector.length), Buffer.alloc(bytes.length)]
    await file.read(sector, 0, sector.length, 0)
    await file.read(data, 0, data.length, DATA_AT)
    const { size } = await file.stat()
    await file.close()
    expect(size).toBe(GiB)
    return [sector, data]
  }

  test('holds the disk of a running one, and its instance starts again where it is restored', async () => {
    const file = path.join(folder, 'backup.tgz')
    const { without } = await backUpTo(file, { dataDir: path.join(folder, 'first'), database: undefined })
    expect(without).toBe(0)
    expect(await first.real.fleet.machines.list(undefined, 10)).toHaveLength(1)
    const left = await fs.readdir(volumesIn(path.join(folder, 'first')))
    expect(left).toEqual([volume])
    await first.bed.stop()

    const place = { dataDir: path.join(folder, 'second'), database: undefined }
    await restoreFrom(file, place)
    expect(await read(place.dataDir)).toEqual([Buffer.from(guestSector), bytes])
    const second = await open(place.dataDir)
    try {
      // Its machine is another host's, which still runs it.
      const { failure } = (await becomes(second.bed, 'failed')) ?? {}
      expect(failure?.message).toBeTruthy()
      const member = await second.bed.signIn('member')
      expect((await member.post('/v1/instances/web/start?project=playground')).status).toBe(202)
      await becomes(second.bed, 'running')
    } finally {
      const { machines } = second.real.fleet
      await second.bed.stop()
      await machines.destroy(await machines.list(undefined, 1000))
      await second.real.driver.close()
    }
    await first.real.restarted()
  })

  test('without a server is refused while machines run, and holds their disks once none does', async () => {
    const { machines } = first.real.fleet
    await first.close()
    const place = { dataDir: path.join(folder, 'first'), database: undefined }
    const file = path.join(folder, 'backup.tgz')
    await expect(backUpTo(file, place)).rejects.toThrow('A machine runs without a server. Start the server')

    await first.real.restarted()
    await first.real.fleet.machines.destroy(await machines.list(undefined, 10))
    await first.real.driver.close()
    await backUpTo(file, place)
    await restoreFrom(file, { dataDir: path.join(folder, 'second'), database: undefined })
    expect(await read(path.join(folder, 'second'))).toEqual([Buffer.from(guestSector), bytes])
    await first.real.restarted()
  })
})
