import type { Services } from '../../kernel/cx.ts'

/**
 * Runs a write of bytes together with the check that it is allowed. A check holds no lock, because a transaction as
 * long as a write would keep an embedded database from everybody else; so whoever forbids further writes commits that
 * first and then waits for those that were checked before (`writesEnded`). Processes that share a database each
 * know of their own writes only.
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

/** Resolves when every write that was under way at the call has ended; later ones have seen what was committed. */
export async function writesEnded({ writes }: Services): Promise<void> {
  await Promise.allSettled(writes)
}
