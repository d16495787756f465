import type { ReactNode } from 'react'
import { createStore } from '#/store.ts'
import { successMessage } from './success-message.tsx'

interface Confirmation {
  title: string
  /** What changes, what is deleted and what remains; the name in `<strong>`. */
  content: ReactNode
  kind?: 'primary' | 'danger'
  /** Cancel and Confirm unless given. */
  cancelLabel?: string
  confirmLabel?: string
  /** The -ing form of the confirm label, shown while it runs. */
  pendingLabel?: string
  /** Title of the error toast: `Could not stop instance`. */
  errorTitle: string
  /** Follows the error text, for example a link to the object. */
  errorAction?: ReactNode
  /** Text of the success toast, required for every change. Absent if `run` shows its own message. */
  success?: ReactNode
  run: () => Promise<unknown>
}

/** Each question has its own id, even if the same one is asked twice. */
export type Question = Confirmation & { id: number }

export const openQuestion = createStore<Question | undefined>(undefined)

/** A question that another has replaced is already closed. */
export function closeQuestion(question: Question): void {
  if (openQuestion.get() === question) openQuestion.set(undefined)
}

/** An action that is running continues, and reports its outcome. */
export const dismissQuestion = (): void => openQuestion.set(undefined)

let lastId = 0

/** The console's only confirmation dialog: asks, runs the action, and closes on success and on failure. */
export const confirmAction = (confirmation: Confirmation): void =>
  openQuestion.set({ ...confirmation, id: ++lastId })

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
