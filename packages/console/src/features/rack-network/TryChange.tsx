import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/features/common/failure-text.ts'
import { Button } from '#/ui/Button.tsx'
import { Dialog } from '#/ui/Dialog.tsx'
import { ErrorNote, Note } from '#/ui/Note.tsx'
import { impactOf, type NetworkChange } from './queries.ts'

interface Props {
  title: string
  change: NetworkChange
  onClose: () => void
  /** Runs after `onClose`, once the change is made. */
  onApplied?: () => void
}

/** Shows what a change would cut off, then makes it for a minute: it stays only if it is confirmed. */
export function TryChange({ title, change, onClose, onApplied }: Props) {
  const impact = useQuery(impactOf(change))
  const attempt = useOp(op.networkTrialCreate)
  const failure = attempt.error ?? impact.error
  async function apply(): Promise<void> {
    try {
      await attempt.run({ body: change })
      onClose()
      onApplied?.()
    } catch {
      // Shown as `attempt.error`.
    }
  }
  return (
    <Dialog
      title={title}
      onRequestClose={onClose}
      footer={
        <>
          <Button size="lg" onClick={onClose}>
            Cancel
          </Button>
          <Button
            size="lg"
            kind="primary"
            pending={attempt.isPending}
            pendingLabel="Applying"
            disabled={!impact.data}
            onClick={() => void apply()}
          >
            Apply for 60 seconds
          </Button>
        </>
      }
    >
      <div role="status">
        {impact.isPending && <p className="text-muted">Finding out what would be lost…</p>}
        {impact.data && <Losses losses={impact.data.losses} />}
      </div>
      <p>
        The change takes effect at once. Unless somebody confirms it within 60 seconds, it reverts by itself.
      </p>
      {failure && (
        <ErrorNote
          errors={[failureText(failure)]}
          {...(failure.requestId && { requestId: failure.requestId })}
        />
      )}
    </Dialog>
  )
}

function Losses({ losses }: { losses: readonly { text: string }[] }) {
  if (losses.length === 0) return <Note>Nothing that works now would be lost.</Note>
  return (
    <Note kind="busy" title="This would be lost">
      <ul className="list-disc pl-5">
        {losses.map(({ text }) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Note>
  )
}
