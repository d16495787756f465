import * as op from '@gantry/api/client/operations.gen'
import { issueLimits } from '@gantry/api/system/system.rules'
import { useOp } from '#/data/use-op.ts'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { TextField } from '#/kit/forms/fields.tsx'
import type { SystemIssue } from './queries.ts'

const noteProblem = (note: string): string | undefined =>
  note.length > issueLimits.noteMax ? `Note may contain at most ${issueLimits.noteMax} characters` : undefined

/** Asks for the note of an acknowledgement. */
export function AcknowledgeDialog({ issue, onClose }: { issue: SystemIssue; onClose: () => void }) {
  const acknowledge = useOp(op.issueAcknowledge)
  return (
    <DialogForm
      title="Acknowledge issue"
      submitLabel="Acknowledge"
      pendingLabel="Acknowledging"
      initial={{ note: issue.acknowledgement?.note ?? '' }}
      save={(body, send) => acknowledge.run({ path: { issue: issue.id }, body }, send)}
      saved={() => 'Issue acknowledged'}
      onClose={onClose}
    >
      <p>
        <strong className="wrap-anywhere">{issue.message}</strong> Other operators see your name and your note
        until the issue ends.
      </p>
      <TextField name="note" optional multiline problem={noteProblem} />
    </DialogForm>
  )
}
