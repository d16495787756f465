import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { isAbsent } from '#/data/extensions.ts'
import { asFailure, type Failure } from '#/data/failure.ts'
import { type Seen, useOp } from '#/data/use-op.ts'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { Button } from '#/ui/Button.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { ErrorNote, Note } from '#/ui/feedback/Note.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { impactOf, type NetworkChange, fabricView, portsOf } from './queries.ts'

interface Props {
  title: string
  change: NetworkChange
  /** The subject as the form below saw it, so that another user's later change is not overwritten unseen. */
  seen?: Seen
  /** Is given why the change was refused, if it was. */
  onClose: (refused?: Failure) => void
  /** Runs instead of `onClose` when the change has been made. */
  onApplied?: () => void
}

/**
 * Shows what a change would disconnect, then makes it. It reverts after a minute unless confirmed. Without support
 * for trials, the change is permanent at once.
 */
export function TryChange({ title, change, seen, onClose, onApplied = onClose }: Props) {
  const impact = useQuery(impactOf(change))
  const attempt = useOp(op.networkTrialCreate, { sees: seen })
  const direct = useDirectChange(seen)
  const isForGood = isAbsent(op.networkImpactView)
  const isApplying = attempt.isPending || direct.isPending
  const failure = isForGood ? direct.error : attempt.error
  // Whatever fails after it: the form must know that what it shows is no longer so.
  const outdated = useRef<Failure>(undefined)
  const whyNotYet =
    impact.data || isForGood
      ? undefined
      : impact.error
        ? 'What would be disconnected could not be checked'
        : 'What would be disconnected is still being checked'
  // Once sent, a change is made, whether or not the dialog is open.
  function close(): void {
    if (!isApplying) onClose(outdated.current ?? failure ?? undefined)
  }
  async function apply(): Promise<void> {
    try {
      await (isForGood ? direct.run(change) : attempt.run({ body: change }))
      toast.success(isForGood ? 'Change applied' : 'Change applied for 60 seconds')
      onApplied()
    } catch (cause) {
      // Shown as `failure`.
      const refused = asFailure(cause)
      if (refused.statusCode === 412) outdated.current = refused
    }
  }
  return (
    <Dialog
      title={title}
      onRequestClose={close}
      footer={
        <>
          <Button size="lg" onClick={close}>
            Cancel
          </Button>
          <Button
            size="lg"
            kind="primary"
            pending={isApplying}
            pendingLabel="Applying"
            disabledReason={whyNotYet}
            onClick={() => void apply()}
          >
            {isForGood ? 'Apply' : 'Apply for 60 seconds'}
          </Button>
        </>
      }
    >
      <div role="status">
        {impact.isPending && <p className="text-muted">Checking what would be disconnected…</p>}
        {impact.data && <Losses losses={impact.data.losses} />}
      </div>
      {impact.error && !isForGood && (
        <SectionError
          title="Could not check what would be disconnected"
          failure={impact.error}
          onRetry={() => void impact.refetch()}
        />
      )}
      {isForGood ? (
        <Note kind="busy" title="This change does not revert automatically">
          This server cannot tell what would be disconnected. Make sure that you can reach it another way.
        </Note>
      ) : (
        <p>The change takes effect at once. It reverts automatically after 60 seconds unless confirmed.</p>
      )}
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
  if (losses.length === 0) return <Note>Nothing would be disconnected.</Note>
  return (
    <Note kind="busy" title="This would be disconnected">
      <ul className="list-disc pl-5">
        {losses.map(({ text }) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Note>
  )
}

/** Makes a network change at once, for servers that cannot revert it automatically. */
function useDirectChange(seen: Seen | undefined) {
  const { data: fabric } = useQuery(fabricView)
  const setAllowed = useOp(op.networkingAllowListUpdate, { sees: seen })
  const apply = useOp(op.networkingSwitchPortApplySettings)
  const clear = useOp(op.networkingSwitchPortClearSettings)
  const replace = useOp(op.networkingSwitchPortSettingsCreate)
  const all = [setAllowed, apply, clear, replace]

  async function run(change: NetworkChange): Promise<void> {
    switch (change.type) {
      case 'allow_list':
        await setAllowed.run({ body: { allowedIps: change.allowedIps } })
        return
      case 'switch_port_settings':
        await replace.run({ body: change.settings })
        return
      case 'switch_port': {
        const port = portsOf(fabric).find(({ id }) => id === change.switchPortId)
        if (!port) return
        const { portName, rackId, switchLocation: switchSlot } = port
        const at = { path: { port: portName }, query: { rackId, switchSlot } }
        if (change.portSettings) await apply.run({ ...at, body: { portSettings: change.portSettings } })
        else await clear.run(at)
      }
    }
  }

  return {
    run,
    isPending: all.some(({ isPending }) => isPending),
    error: all.find(({ error }) => error)?.error ?? null,
  }
}
