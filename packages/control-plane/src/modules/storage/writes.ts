import type { Services } from '../../context/services.ts'

/**
 * Runs a write of bytes together with its permission check. The check holds no lock, because a transaction as
 * long as a write would block an embedded database; so whoever forbids further writes commits that first, and
 * then waits for writes that were already allowed (`writesEnded`). Processes that share a database each know
 * only their own writes.
 */
export async function writing<Result>({ writes }: Services, write: () => Promise<Result>): Promise<Result> {
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
export async function writesEnded({ writes }: Services): Promise<void> {
  await Promise.allSettled(writes)
}
