import type { ReactNode } from 'react'
import { told } from './told.tsx'

export interface Confirmation {
  title: string
  /** What happens, what goes and what stays; the name in `<strong>`. */
  content: ReactNode
  kind?: 'primary' | 'danger'
  /** Cancel and Confirm unless given. */
  cancelLabel?: string
  confirmLabel?: string
  /** The confirming word in its -ing form, shown while it runs. */
  pendingLabel?: string
  /** Title of the error toast: `Could not stop instance`. */
  errorTitle: string
  /** Text of the success toast; every change tells of its success. */
  success: ReactNode
  run: () => Promise<unknown>
}

let current: Confirmation | undefined
const listeners = new Set<() => void>()

function set(next: Confirmation | undefined): void {
  current = next
  for (const listener of listeners) listener()
}

/** One dialog for the whole console: it asks, runs, and closes whether the action succeeded or failed. */
export const confirmAction = (confirmation: Confirmation): void => set(confirmation)

interface Deletion {
  /** As in `Confirm delete disk`, in lower case. */
  kind: string
  name: string
  /** A further paragraph, for example about what goes with it. */
  extra?: ReactNode
  run: () => Promise<unknown>
}

export const confirmDelete = ({ kind, name, extra, run }: Deletion): void =>
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
    success: told(kind.charAt(0).toUpperCase() + kind.slice(1), name, 'deleted'),
    run,
  })

export const confirmSlot = {
  current: (): Confirmation | undefined => current,
  close: (): void => set(undefined),
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
