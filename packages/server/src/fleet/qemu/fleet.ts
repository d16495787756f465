import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { MiB } from '@gantry/api/base/bytes.rules'
import type { Log } from '@gantry/control-plane/environment'
import type { Fleet } from '@gantry/control-plane/fleet/fleet'
import type { FileBlocks } from '../../blocks/blocks-files.ts'
import { lockDataDir } from '../../database/data-dir-lock.ts'
import type { FreeSpace } from '../../space/free-space.ts'
import { isFull } from '../../space/full-volume.ts'
import { qemuGuestAgents } from './agent/guest-agents.ts'
import { boundedTurns } from '@gantry/control-plane/work/turns'
import { copyingUser, machineUsers } from './machine/machine-users.ts'
import { controlGroups, mountedGroups } from './host/control-groups.ts'
import { storedText } from './host/durable-file.ts'
import { qemuEngine } from './engine.ts'
import { cdFiles } from './machine/cd-files.ts'
import { hostUefi } from './machine/firmware.ts'
import { hasTpm } from './machine/tpm.ts'
import { qemuMachines } from './machine/machines.ts'
import { qemuMeasurements } from './host/measurements.ts'
import type { MachineNetworks } from './network/machine-networks.ts'
import type { Isolation } from './host/requirements.ts'
import { isolatedMachines } from './machine/isolated-machines.ts'
import type { QemuNetworks, NetworkOptions } from './network/networks.ts'
import { watchShutdown } from './host/host-shutdown.ts'
import { qemuScreens } from './screen/screens.ts'
import { qemuSerial } from './serial/serial.ts'
import { freeBefore } from './volumes/sparse-files.ts'
import { fleetFolder, hostFile, machinesFolder, tagFile, volumesFolder } from './host/folders.ts'
import { hostId, qemuDriver, thisHost } from './host/this-host.ts'
import { serveVolumeCopies } from './volumes/volume-copies.ts'
import { volumeFiles } from './volumes/volume-files.ts'
import { qemuVolumes } from './volumes/volumes.ts'

type NetworkPlace = Pick<NetworkOptions, 'folder' | 'tag'>

export interface QemuFleetOptions {
  dataDir: string
  log: Log
  /** Opens the networks; without it machines have no interfaces. */
  openNetworks?: (where: NetworkPlace) => Promise<QemuNetworks>
  space: FreeSpace
  blocks: FileBlocks
  clock?: () => Date
}

export interface QemuFleet {
  fleet: () => Fleet
  /** Leaves the machines running. */
  close: () => Promise<void>
}

/** QEMU loads firmware and opens disks: more concurrent starts would slow down running machines. */
const STARTS_AT_ONCE = 4
/** A guest continues once there is space for this many bytes above the reserve. */
const ROOM = 64 * MiB

/** Opens the driver: takes its lock and finds the running machines. */
export async function openQemuFleet(options: QemuFleetOptions): Promise<QemuFleet> {
  const { log, space, blocks, openNetworks, clock = () => new Date() } = options
  const directory = fleetFolder(options.dataDir)
  await fs.mkdir(directory, { recursive: true, mode: 0o700 })
  const lock = await lockDataDir(directory)
  try {
    await requireSparseFiles(directory)
    const tag = await installationTag(directory)
    const users = await machineUsers(tag)
    const engine = await qemuEngine(users.first)
    const groups = await controlGroups(tag, await mountedGroups())
    const id = await hostId(hostFile(directory))
    const carried = await openNetworks?.({ folder: directory, tag })
    const networks: MachineNetworks = carried ?? isolatedMachines(users)
    const files = await volumeFiles(volumesFolder(directory))
    const shutdown = await watchShutdown(directory, {
      change: () => machines.wake(),
      error: (err) => log.error({ err }, 'whether the host shuts down cannot be read'),
    })
    const serial = qemuSerial((id) => machines.find(id), log)
    const machines = await qemuMachines({
      directory: machinesFolder(directory),
      users,
      offers: { ...(await hostUefi()), tpm: await hasTpm() },
      host: {
        tag,
        engine,
        groups,
        networks,
        volumes: files,
        cds: cdFiles(blocks),
        clock,
        log,
        shutdown: shutdown.deadline,
        isFull: async () => !(await space.hasFree(ROOM / 2)),
        hasSpace: () => space.taking(ROOM, async () => true).catch(() => false),
        inTurn: boundedTurns({ atOnce: STARTS_AT_ONCE, waiting: Infinity }),
      },
      onAdded: serial.add,
      onRemoved: serial.remove,
    })
    const { userOf, repairTimes } = machines
    const agents = qemuGuestAgents((id) => machines.find(id), log)
    machines.each(agents.recover)
    const volumes = qemuVolumes({
      files,
      blocks,
      space,
      userOf,
      freezing: agents.freezing,
      copyingUser: copyingUser(users),
    })
    const copies = await serveVolumeCopies(directory, volumes)
    const measurements = qemuMeasurements(machines.find, networks, id)
    const isolation: Isolation = { sharesUser: users.why, lacksLimits: groups.lacks ?? '' }
    log.info({ engine, isolation }, 'the fleet of machines is open')
    return {
      fleet: () => ({
        driver: qemuDriver(id),
        isSimulated: false,
        hosts: {
          list: async () => {
            const isReachable = shutdown.deadline() === undefined
            return [{ ...(await thisHost(id, engine, directory)), is_reachable: isReachable }]
          },
        },
        ...(carried && { networks: carried }),
        machines,
        serial,
        agents,
        screens: qemuScreens((id) => machines.find(id)),
        volumes,
        measurements,
        repairTimes,
      }),
      async close() {
        await copies.close()
        agents.close()
        shutdown.close()
        serial.close()
        await machines.close()
        await groups.close()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Part of the installation's names on the host, so that installations never collide. */
const installationTag = (directory: string): Promise<string> =>
  storedText(
    tagFile(directory),
    /^[0-9a-f]{6}$/,
    () => randomBytes(3).toString('hex'),
    'six hexadecimal digits. Restore it: running machines are found by it',
  )

/** Console logs are trimmed, and guests discard deleted blocks: both free parts of files. */
async function requireSparseFiles(directory: string): Promise<void> {
  const trial = path.join(directory, `.holes-${process.pid}`)
  try {
    await fs.writeFile(trial, Buffer.alloc(8192))
    await freeBefore(trial, 4096)
  } catch (cause) {
    // A full volume proves nothing, and machines must be managed nevertheless.
    if (isFull(cause)) return
    throw new Error(
      `The file system of ${directory} cannot free parts of files. Put the data directory on ext4, XFS, Btrfs or ZFS.`,
      { cause },
    )
  } finally {
    await fs.rm(trial, { force: true })
  }
}
