/**
 * The thread that hashes an object of the block store: SHA-256 covers every byte, including holes, and would
 * block requests for seconds.
 * @import { DigestInput } from './block-digest.ts'
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

const port = parentPort
if (!port) throw new Error('block-digest-worker runs as a worker thread')

const { data, map, chunkSize } = /** @type {DigestInput} */ (workerData)
const hash = createHash('sha256')
const zeros = Buffer.alloc(chunkSize)
const buffer = Buffer.alloc(chunkSize)
const file = fs.openSync(data, 'r')
const { size } = fs.fstatSync(file)
const written = fs.readFileSync(map)

for (let chunk = 0; chunk * chunkSize < size; chunk++) {
  const length = Math.min(chunkSize, size - chunk * chunkSize)
  // Holes need no reading.
  if (written[chunk]) {
    for (let at = 0; at < length;) {
      const count = fs.readSync(file, buffer, at, length - at, chunk * chunkSize + at)
      if (count === 0) throw new Error('the block object ended early')
      at += count
    }
  }
  hash.update((written[chunk] ? buffer : zeros).subarray(0, length))
}
fs.closeSync(file)
port.postMessage(hash.digest('hex'))
