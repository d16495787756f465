import fs from 'node:fs/promises'
import type { Socket } from 'node:net'
import type { Log } from '@gantry/control-plane/environment'
import type { SerialConsoles } from '@gantry/control-plane/fleet/fleet'
import { readFully } from '#src/blocks/block-files-io'
import { serialLogFile, socketsFolder } from '../machine/machine-folder.ts'
import type { Machine } from '../machine/machine.ts'
import { watchOutput } from './output-watch.ts'
import { connectSocket } from '../machine/qmp.ts'

/**
 * QEMU drops pending input when its client disconnects, so this process stays connected while the guest may still
 * read it. It does not stay longer: the guest cannot print what a connected client does not read.
 */
const TYPING_MS = 60_000
/** The maximum of unread input; more is dropped, as by any serial port. */
const INPUT_MAX = 64 * 1024

export interface QemuSerial extends SerialConsoles {
  /** Begins to watch a machine's output. */
  add: (machine: Machine) => void
  remove: (machineId: string) => void
  close: () => void
}

/**
 * Serial consoles as files that QEMU appends to, with or without listeners: byte N of the output is byte N of the file, whose
 * beginning is freed as it grows.
 */
export function qemuSerial(find: (id: string) => Machine | undefined, log: Log): QemuSerial {
  const hints = new Set<() => void>()
  const inputs = new Map<string, Promise<Socket>>()
  const watch = watchOutput(
    () => hints.forEach((hint) => hint()),
    (err, machine) => log.warn({ err, machine }, 'the output of a machine is not watched'),
  )
  const inputOf = (machine: Machine): Promise<Socket> => {
    const { id, folder } = machine
    const known = inputs.get(id)
    if (known) return known
    const connecting = connectSocket(socketsFolder(folder), 'serial').then((socket) => {
      // The output is read from the log.
      socket.resume()
      socket.setTimeout(TYPING_MS, () => socket.end())
      socket.on('error', () => {})
      socket.once('close', () => inputs.delete(id))
      return socket
    })
    inputs.set(id, connecting)
    connecting.catch(() => inputs.delete(id))
    return connecting
  }

  return {
    add: ({ id, folder }) => watch.add(id, serialLogFile(folder)),

    remove(id) {
      watch.remove(id)
      void inputs.get(id)?.then(
        (socket) => socket.destroy(),
        () => {},
      )
    },

    async written(ids) {
      const written = new Map<string, number>()
      for (const id of ids) {
        const machine = find(id)
        if (machine) written.set(id, await sizeOf(machine))
      }
      return written
    },

    async read(id, from, max) {
      const machine = find(id)
      if (!machine) return { from, bytes: new Uint8Array() }
      for (;;) {
        const begin = Math.max(from, machine.record.serial_from)
        const bytes = await readAt(machine, begin, max)
        // Parts freed meanwhile read as zeros.
        if (machine.record.serial_from <= begin) return { from: begin, bytes }
      }
    },

    async write(id, bytes) {
      const machine = find(id)
      if (!machine || !(await machine.running())) return
      // One that ended just now drops it as well.
      const socket = await inputOf(machine).catch(() => undefined)
      if (socket && socket.writableLength + bytes.length <= INPUT_MAX) socket.write(bytes)
    },

    watch(hint, signal) {
      hints.add(hint)
      signal.addEventListener('abort', () => hints.delete(hint))
    },

    close() {
      watch.close()
      for (const input of inputs.values())
        void input.then(
          (socket) => socket.destroy(),
          () => {},
        )
    },
  }
}

const sizeOf = async ({ folder }: Machine): Promise<number> => (await fs.stat(serialLogFile(folder))).size

async function readAt({ folder }: Machine, from: number, max: number): Promise<Uint8Array> {
  const file = await fs.open(serialLogFile(folder), fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW)
  try {
    const { size } = await file.stat()
    const bytes = new Uint8Array(Math.max(0, Math.min(max, size - from)))
    await readFully(file, bytes, from)
    return bytes
  } finally {
    await file.close()
  }
}
