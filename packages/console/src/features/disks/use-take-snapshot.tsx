import * as op from '@gantry/api/client/operations.gen'
import { generateName } from '@gantry/api/base/name.rules'
import { asFailure } from '#/data/failure.ts'
import { useOp } from '#/data/use-op.ts'
import { toast } from '#/ui/overlays/toast.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { randomHex } from '#/kit/page/bytes.ts'
import { snapshotSaved } from '#/features/snapshots/snapshot-saved.ts'
import type { Disk } from './queries.ts'

/** Takes a snapshot with one click. The name derives from the disk's. */
export function useTakeSnapshot(project: string): (disk: Disk) => Promise<void> {
  const snapshot = useOp(op.snapshotCreate)
  return async (disk) => {
    const name = generateName(randomHex, disk.name)
    try {
      const taken = await snapshot.run({
        query: { project },
        body: { name, description: '', disk: disk.name },
      })
      toast.success({ text: snapshotSaved(taken), action: viewSnapshotsIn(project) })
    } catch (error) {
      toast.error({ title: 'Failed to create snapshot', text: failureText(asFailure(error)) })
    }
  }
}

const viewSnapshotsIn = (project: string) => (
  <PageLink to="/projects/$project/snapshots" params={{ project }} className="link">
    View snapshots
  </PageLink>
)
