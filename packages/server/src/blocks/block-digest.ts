import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface DigestInput {
  data: string
  map: string
  chunkSize: number
}

let last: Promise<unknown> = Promise.resolve()

/** SHA-256 of an object in hex. One at a time, so that many requests use one core and not all. */
export function digestOf(input: DigestInput): Promise<string> {
  const next = last.then(() => hashInThread(input))
  last = next.catch(() => {})
  return next
}

async function hashInThread(workerData: DigestInput): Promise<string> {
  const worker = new Worker(new URL('./block-digest-worker.js', import.meta.url), { workerData })
  try {
    const [hex] = (await once(worker, 'message')) as [string]
    return hex
  } finally {
    await worker.terminate()
  }
}
