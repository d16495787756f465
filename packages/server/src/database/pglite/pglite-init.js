/**
 * Makes an empty cluster in the folder named by the first argument, and exits when every byte of it is on
 * the disk. It is a process of its own because making one takes 0.8 GB, which a thread would leave behind in
 * the server's resident size.
 */
import fs from 'node:fs'
import { openCluster } from './cluster.js'
import { syncTree } from './sync-files.js'

const directory = process.argv[2]
if (!directory) throw new Error('usage: pglite-init DIRECTORY')

process.once('disconnect', () => {
  // Whoever wanted the cluster is gone.
  fs.rmSync(directory, { recursive: true, force: true })
  process.exit(1)
})

const cluster = await openCluster(directory)
await cluster.close()
await syncTree(directory)
// The channel to the parent would keep this process alive.
process.removeAllListeners('disconnect')
if (process.connected) process.disconnect()
