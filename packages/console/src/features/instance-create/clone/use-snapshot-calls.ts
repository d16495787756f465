import * as op from '@gantry/api/client/operations.gen'
import { generateName } from '@gantry/api/name.rules'
import { useQueryClient } from '@tanstack/react-query'
import { useOp } from '#/data/use-op.ts'
import { randomHex } from '#/features/common/random-hex.ts'
import { snapshotView } from '#/features/snapshots/queries.ts'
import type { SnapshotCalls } from './with-snapshots.ts'

/** Snapshot operations. The description explains the purpose of a snapshot left behind. */
export function useSnapshotCalls(project: string): (description: string) => SnapshotCalls {
  const queryClient = useQueryClient()
  const take = useOp(op.snapshotCreate)
  const remove = useOp(op.snapshotDelete)
  return (description) => ({
    take: ({ id, name }) =>
      take.run({
        query: { project },
        body: { name: generateName(randomHex, name), description, disk: id },
      }),
    read: (id) => queryClient.fetchQuery({ ...snapshotView(project, id), staleTime: 0 }),
    remove: ({ name }) => remove.run({ path: { snapshot: name }, query: { project } }),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  })
}
