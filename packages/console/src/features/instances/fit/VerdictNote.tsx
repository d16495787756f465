import type { ReactNode } from 'react'
import { Note } from '#/ui/Note.tsx'
import type { Verdict } from './verdict.ts'

interface Props {
  verdict: Verdict | undefined
  action?: ReactNode
}

/** Whether the instance fits, or why not and what to do. Announced to screen readers on change. */
export function VerdictNote({ verdict, action }: Props) {
  return (
    <div role="status" className="text-sm text-muted">
      {verdict?.kind === 'fits' && <p>{verdict.title}</p>}
      {verdict && verdict.kind !== 'fits' && (
        <Note kind="busy" className="mt-1.5" title={verdict.title} action={action}>
          <ul className="mt-1.5 list-disc space-y-1 pl-5">
            {verdict.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </Note>
      )}
    </div>
  )
}
