import { Note } from '#/ui/Note.tsx'

/** Above the fields of a form that cannot be submitted: the reason of its button, before anything is filled in. */
export function WhyNotNote({ reason }: { reason: string | undefined }) {
  if (!reason) return null
  return (
    <Note kind="busy" className="max-w-form" title="You cannot submit this form">
      <p>{/[.!?]$/.test(reason) ? reason : `${reason}.`}</p>
    </Note>
  )
}
