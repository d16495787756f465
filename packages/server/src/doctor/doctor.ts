import path from 'node:path'
import { simulatedDriver } from '@gantry/control-plane/fleet/identity'
import type { Settings } from '@gantry/control-plane/settings'
import { isThere } from '../backup/source.ts'
import type { FleetName } from '../cli/values.ts'
import type { DatabaseLocation } from '../database/open.ts'
import { readIfThere } from '../fleet/qemu/host/durable-file.ts'
import { fleetFolder, hostFile } from '../fleet/qemu/host/folders.ts'
import { qemuDriver } from '../fleet/qemu/host/this-host.ts'
import { imageFormatFindings } from '../image-formats/findings.ts'
import type { SealKey } from '../seal/seal-keys.ts'
import { certificateChecks } from './certificate-checks.ts'
import { databaseChecks } from './database-checks.ts'
import {
  ballastState,
  dataDirLock,
  dataDirOwner,
  dataDirWritable,
  diskSpace,
  restoreState,
} from './data-dir-checks.ts'
import { fleetChecks } from './fleet-checks.ts'
import { type Finding, ok, problem } from './finding.ts'
import { namesServed, portState, type Reached, reachability } from './network-checks.ts'
import { nodeVersion, programFiles } from './program-checks.ts'

export interface Examined extends Reached {
  dataDir: string
  database: string | undefined
  settings: Settings
  keys: readonly SealKey[]
  fleet: FleetName
  /** Files of the program that must exist. */
  files: readonly string[]
}

const none = Promise.resolve([])

/** Checks everything that a server needs, and changes nothing. A failed check does not stop the others. */
export async function examine(patient: Examined): Promise<Finding[]> {
  const dataDir = path.resolve(patient.dataDir)
  const location: DatabaseLocation = patient.database === undefined ? { dataDir } : { url: patient.database }
  const checks: [string, () => Promise<Finding | Finding[]>][] = [
    ['node', async () => nodeVersion(process.versions.node)],
    ['program', () => programFiles(patient.files)],
    ['image formats', imageFormatFindings],
    ['data directory', () => dataDirOwner(dataDir, process.getuid?.())],
    ['writing', () => dataDirWritable(dataDir)],
    ['disk space', () => diskSpace(dataDir, patient.settings.storage.reserve_bytes)],
    ['ballast', () => ballastState(dataDir)],
    ['lock', () => dataDirLock(dataDir)],
    ['restore', () => restoreState(dataDir, location)],
    ['database', () => databaseLooks(location, { ...patient, dataDir })],
    ['fleet', () => (patient.fleet === 'qemu' ? fleetChecks(patient.settings.fleet) : none)],
    ['port', () => portState(patient)],
    ['names', async () => namesServed(patient)],
    ['certificate', () => (patient.tls ? certificateChecks(patient.tls, patient.origins, new Date()) : none)],
    ['https', async () => reachability(patient)],
  ]
  const found: Finding[] = []
  for (const [check, look] of checks) {
    found.push(
      ...(await look().then(
        (one) => (Array.isArray(one) ? one : [one]),
        (error: Error) => [problem(check, error.message, 'Fix this first, then run the check again.')],
      )),
    )
  }
  return found
}

async function databaseLooks(
  location: DatabaseLocation,
  { dataDir, keys, fleet }: Pick<Examined, 'dataDir' | 'keys' | 'fleet'>,
): Promise<Finding[]> {
  if ('dataDir' in location) {
    if (!(await isThere(path.join(location.dataDir, 'database'))))
      return [ok('database', 'there is none yet; the first start creates the embedded one')]
  }
  return databaseChecks(location, keys, await driverOf(fleet, dataDir))
}

/** The fleet's name on a server with this data directory. */
async function driverOf(fleet: FleetName, dataDir: string): Promise<string> {
  if (fleet === 'simulated') return simulatedDriver
  const host = await readIfThere(hostFile(fleetFolder(dataDir)))
  return qemuDriver(host?.trim() ?? 'a new host')
}
