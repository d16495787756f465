import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { Socket } from 'node:net'
import { hostEnvironment, missingPrograms } from '../host/host-command.ts'
import { identityOf, type ProcessIdentity } from '../host/processes.ts'
import type { VolumeFiles } from '../volumes/volume-files.ts'
import { confined } from './machine-users.ts'

/** Emulates a TPM, in a process of its own for each machine. */
export const tpmProgram = { program: 'swtpm', debian: 'swtpm' } as const

export const hasTpm = async (): Promise<boolean> => (await missingPrograms([tpmProgram])).length === 0

const MARK = 'prefix=gantry-'
const mark = (tag: string, machineId: string): string => `file=-,${MARK}${tag}-${machineId}`

/** The machine whose TPM a process of the installation is, by its command line. */
export function tpmOf(tag: string, words: readonly string[]): string | undefined {
  const [, found] = words.find((word) => word.includes(`${MARK}${tag}-`))?.split(`${MARK}${tag}-`) ?? []
  return found
}

/** Numbers under which it inherits files, after the standard streams. */
const inherited = { socket: 3, state: 4 } as const

export interface TpmLaunch {
  machineId: string
  tag: string
  user: number | null
  groups: readonly number[]
  /** Words before the command that enter the machine's network. */
  prefix: readonly string[]
  /** The volume with its state. */
  volume: string
  volumes: VolumeFiles
  /** Gets its output. */
  log: number
}

export interface RunningTpm {
  process: ProcessIdentity
  /** QEMU inherits it. Close it in this process as soon as QEMU has it, before anything is read from it. */
  socket: Socket
}

/**
 * Starts the TPM of a machine. It has the rights of its machine, ends when QEMU closes its connection, and opens the file
 * of its state by the number that it inherits, which is why that file belongs to its user.
 */
export async function launchTpm(one: TpmLaunch): Promise<RunningTpm> {
  const { machineId, tag, user, groups, prefix, volume, volumes, log } = one
  if ((await volumes.size(volume)) === undefined)
    await volumes.make(volume, 0, (file) => fs.writeFile(file, '', { mode: 0o600 }))
  if (user !== null) await fs.chown(volumes.file(volume), user, user)
  const [state] = await volumes.openAll([{ content_id: volume, read_only: false }])
  if (!state) throw new Error(`The state ${volume} of a TPM could not be opened.`)
  try {
    const words = [
      ...prefix,
      ...confined({ user: user ?? undefined, groups }),
      tpmProgram.program,
      'socket',
      '--tpm2',
      '--terminate',
      '--tpmstate',
      `backend-uri=file:///proc/self/fd/${inherited.state}`,
      '--ctrl',
      `type=unixio,clientfd=${inherited.socket}`,
      '--log',
      mark(tag, machineId),
    ]
    const child = spawn(words[0] ?? '', words.slice(1), {
      detached: true,
      cwd: '/',
      env: { PATH: hostEnvironment()['PATH'] ?? '', LANG: 'C.UTF-8' },
      stdio: ['ignore', log, log, 'pipe', state.fd],
    })
    return { process: await started(child), socket: socketOf(child.stdio[inherited.socket]) }
  } finally {
    await state.close()
  }
}

async function started(child: ChildProcess): Promise<ProcessIdentity> {
  const failing = new Promise<never>((_, reject) =>
    child.once('error', (error) =>
      reject(
        new Error(
          `${tpmProgram.program} could not be run: ${error.message}. Install its package: apt install ${tpmProgram.debian}.`,
        ),
      ),
    ),
  )
  failing.catch(() => {})
  const process = child.pid === undefined ? await failing : await identityOf(child.pid)
  child.unref()
  if (!process) throw new Error(`${tpmProgram.program} ended at once.`)
  return process
}

function socketOf(stream: Readable | NodeJS.WritableStream | null | undefined): Socket {
  if (!(stream instanceof Socket)) throw new Error(`${tpmProgram.program} has no socket.`)
  // Its end is seen by QEMU.
  stream.on('error', () => {})
  return stream
}
