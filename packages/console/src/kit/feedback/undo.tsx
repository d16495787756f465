// @chunk form-parts: of forms and of lists that are edited in place, neither of which shall load the other.
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { takeEntry } from '#/data/last-entry.ts'
import { toast, type ToastContent } from '#/ui/overlays/toast.ts'

/** How long the message of an edit offers to take it back; afterwards Activity does. */
const undoMs = 10_000

/** The message of an edit, with a button that takes it back. */
export function saySaved(content: ToastContent): void {
  const entry = takeEntry()
  if (entry === undefined) return void toast.success(content)
  const { text, action } = isParts(content) ? content : { text: content }
  let id = ''
  const close = () => toast.dismiss(id)
  const actions = (
    <span className="flex flex-wrap gap-x-4">
      {action}
      <Undo entry={entry} onDone={close} />
    </span>
  )
  id = toast.success({ text, action: actions }, undoMs)
}

const isParts = (content: ToastContent): content is Exclude<ToastContent, ReactNode> =>
  typeof content === 'object' && content !== null && 'text' in content

function Undo({ entry, onDone }: { entry: string; onDone: () => void }) {
  const queryClient = useQueryClient()
  const [isPending, setPending] = useState(false)
  return (
    <button
      type="button"
      className="link"
      disabled={isPending}
      onClick={() => {
        setPending(true)
        void import('./undo-entry.ts').then(({ undo }) => undo(queryClient, entry)).then(onDone)
      }}
    >
      Undo
    </button>
  )
}
