import type { ReactNode } from 'react'
import { confirmSlot } from './confirm-slot.ts'
import { told } from './told.tsx'

/** One dialog for the whole console: it asks, runs, and closes whether the action succeeded or failed. */
export const confirmAction = confirmSlot.ask

interface Deletion {
  /** As in `Confirm delete disk`, in lower case. */
  kind: string
  name: string
  /** A further paragraph, for example about what goes with it. */
  extra?: ReactNode
  /** `run` tells of the success by itself. */
  tells?: boolean
  run: () => Promise<unknown>
}

export const confirmDelete = ({ kind, name, extra, tells, run }: Deletion): void =>
  confirmAction({
    title: `Confirm delete ${kind}`,
    content: (
      <>
        <p>
          Are you sure you want to delete <strong>{name}</strong>?
        </p>
        {extra && <p>{extra}</p>}
      </>
    ),
    kind: 'danger',
    pendingLabel: 'Deleting',
    errorTitle: 'Could not delete resource',
    ...(!tells && { success: told(kind, name, 'deleted') }),
    run,
  })
