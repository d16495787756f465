import type { ReactNode } from 'react'
import { confirmSlot } from './confirm-slot.ts'
import { successMessage } from './success-message.tsx'

/** The console's only confirmation dialog: asks, runs the action, and closes on success and on failure. */
export const confirmAction = confirmSlot.ask

interface Deletion {
  /** As in `Confirm delete disk`, in lower case. */
  kind: string
  name: string
  /** A further paragraph, for example about other objects that will be deleted. */
  extra?: ReactNode
  /** `run` shows its own success message. */
  hasOwnMessage?: boolean
  run: () => Promise<unknown>
}

export const confirmDelete = ({ kind, name, extra, hasOwnMessage, run }: Deletion): void =>
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
    ...(!hasOwnMessage && { success: successMessage(kind, name, 'deleted') }),
    run,
  })
