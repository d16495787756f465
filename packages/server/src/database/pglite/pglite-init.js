/**
 * Creates an empty cluster in the folder named by the first argument, and exits when every byte of it is on
 * disk. It is a separate process because this takes 0.8 GB, which a thread would leave in the server's
 * resident size.
 */
import fs from 'node:fs'
import { openCluster } from './cluster.js'
import { syncTree } from './sync-files.js'

const directory = process.argv[2]
if (!directory) throw new Error('usage: pglite-init DIRECTORY')

process.once('disconnect', () => {
  // The parent process is gone.
  fs.rmSync(directory, { recursive: true, force: true })
  process.exit(1)
})

const cluster = await openCluster(directory)
await cluster.close()
await syncTree(directory)
// The channel to the parent would keep this process alive.
process.removeAllListeners('disconnect')
if (process.connected) process.disconnect()
