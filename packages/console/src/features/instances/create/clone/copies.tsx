import * as op from '@gantry/api/client/operations.gen'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { snapshotView } from '#/features/snapshots/queries.ts'
import { Progress } from '#/ui/data/Progress.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { copiedDisks, type InstanceValues } from '../values.ts'
import { snapshotBody } from './snapshot-body.ts'
import { type CopyProgress, type SnapshotCalls, withSnapshots } from './with-snapshots.ts'

/** Creates an instance with copies of disks. `copying` is set while their snapshots exist. */
export function useCopies(project: string) {
  const [copying, setCopying] = useState<CopyProgress>()
  const snapshotCalls = useSnapshotCalls(project)

  async function withCopies<Result>(
    values: InstanceValues,
    create: (snapshotOf: ReadonlyMap<string, string>) => Promise<Result>,
  ): Promise<Result> {
    const disks = copiedDisks(values)
    if (disks.length === 0) return create(new Map())
    const calls = snapshotCalls(values)
    try {
      const { result, leftover } = await withSnapshots(disks, calls, setCopying, create)
      for (const failure of leftover)
        toast.error({ title: 'Failed to delete snapshot', text: failureText(failure) })
      return result
    } finally {
      setCopying(undefined)
    }
  }

  return { copying, withCopies }
}

function useSnapshotCalls(project: string): (values: InstanceValues) => SnapshotCalls {
  const queryClient = useQueryClient()
  const take = useOp(op.snapshotCreate)
  const remove = useOp(op.snapshotDelete)
  return (values) => ({
    take: (disk) => take.run({ query: { project }, body: snapshotBody(disk, values) }),
    read: (id) => queryClient.fetchQuery({ ...snapshotView(project, id), staleTime: 0 }),
    remove: ({ name }) => remove.run({ path: { snapshot: name }, query: { project } }),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  })
}

/** Progress of a clone's snapshots, disk by disk. */
export function CopyStatus({ progress }: { progress: CopyProgress }) {
  const ready = progress.filter(({ isReady }) => isReady).length
  return (
    <div className="w-80 max-w-full">
      <p className="mb-1">
        {ready === progress.length
          ? 'Creating the instance'
          : `Taking snapshots: ${ready} of ${progress.length} ready`}
      </p>
      <Progress label="Snapshots" percent={(ready / progress.length) * 100} />
      <ul className="mt-1 text-muted">
        {progress.map(({ name, isReady }) => (
          <li key={name}>
            {name}: {isReady ? 'snapshot ready' : 'taking snapshot'}
          </li>
        ))}
      </ul>
    </div>
  )
}
