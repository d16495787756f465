import fs from 'node:fs/promises'
import path from 'node:path'
import { type Copy, type CopySocket, offerCopies, requestCopy } from '../../blocks/copies.ts'

/** Socket by which another process of the same user requests a copy of the embedded database. */
const socketIn = (dataDir: string): CopySocket => ({ directory: dataDir, name: 'control.sock' })
const REQUEST = 'copy the database'
/** A copy waits for its turn and then for the disk. */
const COPY_MS = 10 * 60_000
const IF_LATE = 'Stop the server, then try again.'

/** Serves copies of the embedded database, each a data directory that contains nothing else. */
export const offerDatabase = (
  dataDir: string,
  copyTo: (folder: string) => Promise<void>,
): Promise<{ close: () => Promise<void> }> =>
  offerCopies(socketIn(dataDir), async (request, use) => {
    if (request !== REQUEST) throw new Error(`only "${REQUEST}" can be requested`)
    // The name lets a later start recognise leftovers of a crash.
    const folder = await fs.mkdtemp(path.join(dataDir, 'database-unfinished-'))
    try {
      await copyTo(path.join(folder, 'database'))
      await use(folder)
    } finally {
      await fs.rm(folder, { recursive: true, force: true })
    }
  })

/** Requests a copy from the server that holds a data directory; undefined if none responds. */
export const copyOfRunning = (dataDir: string, signal?: AbortSignal): Promise<Copy | undefined> =>
  requestCopy(socketIn(dataDir), {
    request: REQUEST,
    what: 'its database',
    ms: COPY_MS,
    ifLate: IF_LATE,
    signal,
  })
