import fs from 'node:fs/promises'
import { pathsIn } from '#src/blocks/block-paths'
import { type Copy, type CopySocket, offerCopies, requestCopy } from '#src/blocks/copies'
import { COPY_MS } from './sparse-files.ts'
import type { QemuVolumes } from './volumes.ts'

/** Socket by which another process of the same user requests a copy of a volume. */
const socketIn = (fleet: string): CopySocket => ({ directory: fleet, name: 'copies.sock' })

/** Without a server the disk itself is read, as long as no machine runs. */
const IF_LATE = 'Stop all instances and then the server, and try again.'

/** Serves copies of volumes, each in the shape of an object of the block store. */
export const serveVolumeCopies = (
  fleet: string,
  volumes: QemuVolumes,
): Promise<{ close: () => Promise<void> }> =>
  offerCopies(socketIn(fleet), (id, use, signal) =>
    volumes.withCopy(
      id,
      undefined,
      async (folder, { written }) => {
        await fs.writeFile(pathsIn(folder).map, written, { mode: 0o600 })
        await use(folder)
      },
      signal,
    ),
  )

/** Requests the copy of a volume from the server that runs the fleet; undefined if none responds. */
export const copyOfVolume = (fleet: string, id: string, signal?: AbortSignal): Promise<Copy | undefined> =>
  requestCopy(socketIn(fleet), { request: id, what: `the disk ${id}`, ms: COPY_MS, ifLate: IF_LATE, signal })
