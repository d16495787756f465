import type { ReactNode } from 'react'
import type { Send } from '#/data/client.ts'
import { createStore } from '#/store.ts'
import { formatBytes } from '#/ui/data/format.ts'
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
  /** It begins a task, which the column of tasks tells of if that is open. */
  isTask?: boolean
  /** What is lost for good with an object that otherwise goes into the recycle bin. */
  gone?: ReactNode
  /** It is about several objects. */
  isSeveral?: boolean
  /** Shows what it would do before it is confirmed: `run` sends its one request by `send`. */
  isPlanned?: boolean
  /** As `isPlanned`, and only if it turns out that another user must commit it. */
  isSavable?: boolean
  /** Requests whose plans say together what it would do, where its own cannot be planned. */
  parts?: readonly PlannedPart[]
  /** The choice is made where `gone` is given. */
  run: (isForGood: boolean, send?: Send) => Promise<unknown>
}

/** A request for one of several objects. */
export interface PlannedPart {
  name: string
  run: (send: Send) => Promise<unknown>
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
  /** What is deleted with it, in whole sentences: `Its 100 GiB are gone for good.` */
  gone: ReactNode
  /** A further paragraph, for example a list of other objects. */
  extra?: ReactNode
  /** `run` shows its own success message. */
  hasOwnMessage?: boolean
  /** Shows what it would do: `run` sends its one request by `send`. */
  isPlanned?: boolean
  run: (send?: Send) => Promise<unknown>
}

interface Recycling extends Omit<Deletion, 'gone' | 'hasOwnMessage' | 'isPlanned' | 'run'> {
  /** What is lost if it does not go into the recycle bin. */
  gone: string
  /** What is true in either case, in whole sentences. */
  besides?: string
  /** Of the success toast, unless it is `deleted`. */
  success?: ReactNode
  run: (isForGood: boolean, send?: Send) => Promise<unknown>
}

/** Asks before it deletes an object of a kind that goes into the recycle bin (`use-deletion.ts`). */
export const confirmRecycling = ({ kind, name, gone, besides, extra, success, run }: Recycling): void =>
  confirmAction({
    title: `Confirm delete ${kind}`,
    content: (
      <>
        <p>
          Delete {kind} <strong>{name}</strong>? {besides}
        </p>
        {extra && <div>{extra}</div>}
      </>
    ),
    gone,
    isSavable: true,
    kind: 'danger',
    pendingLabel: 'Deleting',
    errorTitle: 'Could not delete resource',
    success: success ?? successMessage(kind, name, 'deleted'),
    run,
  })

/** For what holds data of users. */
export function goneBytes(bytes: number): string {
  const size = formatBytes(bytes)
  return `Its ${size} ${/^1\b(?![.,])/.test(size) ? 'is' : 'are'} gone for good.`
}

export const confirmDelete = ({ kind, name, gone, extra, hasOwnMessage, isPlanned, run }: Deletion): void =>
  confirmAction({
    title: `Confirm delete ${kind}`,
    content: (
      <>
        <p>
          Delete {kind} <strong>{name}</strong>? {gone}
        </p>
        {extra && <div>{extra}</div>}
      </>
    ),
    kind: 'danger',
    pendingLabel: 'Deleting',
    errorTitle: 'Could not delete resource',
    ...(!hasOwnMessage && { success: successMessage(kind, name, 'deleted') }),
    ...(isPlanned && { isPlanned }),
    run: (_isForGood, send) => run(send),
  })
