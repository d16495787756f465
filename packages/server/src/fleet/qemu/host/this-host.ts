import { randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import os from 'node:os'
import { GiB } from '@gantry/api/base/bytes.rules'
import type { Host } from '@gantry/control-plane/fleet/hosts'
import { storedText } from './durable-file.ts'
import type { Engine } from '../engine.ts'

/** Memory of the host reserved for the server, the system, and QEMU's own needs. */
const keptBack = (memory: number): number => Math.max(GiB, memory / 8)

/** The id of this host, kept in a file of the driver's folder. */
export const hostId = (file: string): Promise<string> =>
  storedText(
    file,
    /^[0-9a-f-]{36}$/,
    randomUUID,
    'the id of this host. Restore it: its machines are found by it',
  )

/** A database belongs to the machines of one host. */
export const qemuDriver = (host: string): string => `qemu of ${host}`

/** This host for operators. */
export async function thisHost(
  id: string,
  engine: Engine,
  directory: string,
): Promise<Omit<Host, 'is_reachable'>> {
  // A container or a service can have less than the machine.
  const memory = Math.min(os.totalmem(), process.constrainedMemory() || Infinity)
  const { bavail, blocks, bsize } = await statfs(directory)
  return {
    id,
    name: os.hostname(),
    engine: engineWords(engine),
    threads: os.availableParallelism(),
    memory,
    reservoir: Math.max(0, Math.floor((memory - keptBack(memory)) / GiB)) * GiB,
    storage: blocks * bsize,
    storage_free: bavail * bsize,
  }
}

const engineWords = ({ version, accelerator }: Pick<Engine, 'version' | 'accelerator'>): string =>
  accelerator === 'kvm' ? `QEMU ${version} with KVM` : `QEMU ${version} without hardware virtualization`
