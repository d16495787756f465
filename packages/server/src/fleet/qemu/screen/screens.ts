import type { Socket } from 'node:net'
import type { Screens } from '@gantry/control-plane/fleet/fleet'
import { isUnattended } from '#src/database/reach'
import { SCREEN_SOCKET } from '../machine/arguments.ts'
import { socketsFolder } from '../machine/machine-folder.ts'
import type { Machine } from '../machine/machine.ts'
import { connectSocket } from '../machine/qmp.ts'

/** The maximum of what a viewer has sent and QEMU has not read. */
const UNREAD_MAX = 256 * 1024

/** Screens as QEMU serves them, one connection for each viewer. A screen without viewers costs nothing. */
export function qemuScreens(find: (id: string) => Machine | undefined): Screens {
  return {
    async open(id, hint) {
      const machine = find(id)
      if (!machine || !(await machine.running())) return undefined
      const socket = await reached(machine)
      if (!socket) return undefined
      let hasEnded = false
      // What is not taken stays in the socket, and QEMU waits.
      socket.on('readable', hint)
      socket.on('error', () => {})
      socket.once('end', () => socket.destroy())
      socket.once('close', () => {
        hasEnded = true
        hint()
      })
      return {
        send(bytes) {
          if (hasEnded || socket.writableLength + bytes.length > UNREAD_MAX) return false
          socket.write(bytes)
          return true
        },
        take(max) {
          const length = Math.min(max, socket.readableLength)
          const bytes = length > 0 ? (socket.read(length) as Buffer | null) : null
          // Reading nothing asks for more.
          if (!bytes) socket.read(0)
          return bytes ?? new Uint8Array()
        },
        hasEnded: () => hasEnded,
        close: () => void socket.destroy(),
      }
    },
  }
}

/** Machines that were started before they had screens have no such socket, and one that ends just now neither. */
async function reached({ folder }: Machine): Promise<Socket | undefined> {
  try {
    return await connectSocket(socketsFolder(folder), SCREEN_SOCKET, { isPaused: true })
  } catch (error) {
    if (isUnattended(error)) return undefined
    throw error
  }
}
