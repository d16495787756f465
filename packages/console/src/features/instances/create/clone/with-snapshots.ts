import { asFailure, Failure } from '#/data/failure.ts'
import type { Snapshot } from '#/features/snapshots/queries.ts'
import type { CopiedDisk } from '../values.ts'

type Taken = Pick<Snapshot, 'id' | 'name' | 'state'>

export interface SnapshotCalls {
  take: (disk: CopiedDisk) => Promise<Taken>
  read: (id: string) => Promise<Taken>
  remove: (snapshot: Taken) => Promise<unknown>
  wait: (ms: number) => Promise<unknown>
}

/** The disks in the given order, each with whether its snapshot is ready. */
export type CopyProgress = readonly { name: string; isReady: boolean }[]

const pollMs = 1000
const deadlineMinutes = 10

/**
 * Takes a snapshot of each disk, passes their ids by disk id to `use`, and deletes them when `use` has ended.
 * Returns the result of `use`, with a failure for each snapshot that could not be deleted. Throws the error of `use`,
 * or an AggregateError if several things failed.
 */
export async function withSnapshots<Result>(
  disks: readonly CopiedDisk[],
  calls: SnapshotCalls,
  onProgress: (progress: CopyProgress) => void,
  use: (snapshotOf: ReadonlyMap<string, string>) => Promise<Result>,
): Promise<{ result: Result; leftover: Failure[] }> {
  const taken: Taken[] = []
  try {
    const snapshotOf = await takeAll(disks, calls, onProgress, taken)
    const result = await use(snapshotOf)
    return { result, leftover: await removeAll(taken, calls) }
  } catch (error) {
    const leftover = await removeAll(taken, calls)
    if (leftover.length === 0) throw error
    const errors: unknown[] = error instanceof AggregateError ? error.errors : [error]
    throw new AggregateError([...errors, ...leftover], undefined, { cause: error })
  }
}

/**
 * In parallel, so that the copies are of nearly the same point in time. `taken` receives each snapshot once it
 * exists.
 */
async function takeAll(
  disks: readonly CopiedDisk[],
  calls: SnapshotCalls,
  onProgress: (progress: CopyProgress) => void,
  taken: Taken[],
): Promise<ReadonlyMap<string, string>> {
  const ready = new Map<string, string>()
  const report = () => onProgress(disks.map(({ id, name }) => ({ name, isReady: ready.has(id) })))
  report()
  const outcomes = await Promise.allSettled(
    disks.map(async (disk) => {
      const snapshot = await calls.take(disk)
      taken.push(snapshot)
      await untilReady(snapshot, calls)
      ready.set(disk.id, snapshot.id)
      report()
    }),
  )
  const failures = outcomes.flatMap((outcome, index) =>
    outcome.status === 'rejected' ? [about(`Snapshot of disk ${disks[index]?.name}`, outcome.reason)] : [],
  )
  if (failures.length > 0) throw new AggregateError(failures)
  return ready
}

/** The API may answer before the bytes are copied. */
async function untilReady(snapshot: Taken, { read, wait }: SnapshotCalls): Promise<void> {
  let { state } = snapshot
  for (let waitedMs = 0; state === 'creating'; waitedMs += pollMs) {
    if (waitedMs >= deadlineMinutes * 60_000)
      throw new Failure({ message: `it was not ready after ${deadlineMinutes} minutes`, statusCode: 0 })
    await wait(pollMs)
    state = (await read(snapshot.id)).state
  }
  if (state !== 'ready') throw new Failure({ message: 'the copy failed', statusCode: 0 })
}

async function removeAll(taken: readonly Taken[], { remove }: SnapshotCalls): Promise<Failure[]> {
  const outcomes = await Promise.allSettled(taken.map(remove))
  return outcomes.flatMap((outcome, index) =>
    outcome.status === 'rejected' ? [about(`Snapshot ${taken[index]?.name} was kept`, outcome.reason)] : [],
  )
}

/** Drops the error code, which would make the form attribute the failure to the instance. */
function about(what: string, reason: unknown): Failure {
  const { message, statusCode, requestId, help } = asFailure(reason)
  return new Failure({
    message: `${what}: ${message}`,
    statusCode,
    ...(requestId && { requestId }),
    ...(help && { help }),
  })
}
