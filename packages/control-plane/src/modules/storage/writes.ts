import { onceEach } from '../../context/once-each.ts'
import type { Services } from '../../context/services.ts'

/** Writes of bytes in progress in this process. */
const writesOf = onceEach((_services: Services) => new Set<Promise<unknown>>())

/**
 * Runs a write of bytes together with its permission check. The check holds no lock, because a transaction as
 * long as a write would block an embedded database; so a change that forbids further writes commits first, and then
 * waits for writes that were already allowed (`writesEnded`). Processes that share a database each know
 * only their own writes.
 */
export async function writing<Result>(services: Services, write: () => Promise<Result>): Promise<Result> {
  const writes = writesOf(services)
  const running = write()
  writes.add(running)
  try {
    return await running
  } finally {
    writes.delete(running)
  }
}

/**
 * Resolves when every write in progress at the time of the call has ended; later ones see what was committed.
 */
export async function writesEnded(services: Services): Promise<void> {
  await Promise.allSettled(writesOf(services))
}
