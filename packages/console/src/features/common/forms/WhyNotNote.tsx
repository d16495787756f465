import { Note } from '#/ui/Note.tsx'

/** Why a form cannot be submitted, above its fields, so that the user sees it before filling them in. */
export function WhyNotNote({ reason }: { reason: string | undefined }) {
  if (!reason) return null
  return (
    <Note kind="busy" className="max-w-form" title="You cannot submit this form">
      <p>{/[.!?]$/.test(reason) ? reason : `${reason}.`}</p>
    </Note>
  )
}
