import { useState } from 'react'
import { failureText } from '#/features/common/failure-text.ts'
import { toast } from '#/ui/toast.ts'
import { copiedDisks, type InstanceValues } from '../values.ts'
import { useSnapshotCalls } from './use-snapshot-calls.ts'
import { type CopyProgress, withSnapshots } from './with-snapshots.ts'

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
    const calls = snapshotCalls(`Taken to clone disks for ${values.name}`)
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
