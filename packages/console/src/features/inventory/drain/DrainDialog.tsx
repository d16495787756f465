import type { DrainMode } from '@gantry/api/system/hardware.rules'
import * as op from '@gantry/api/client/operations.gen'
import { useWhyLacking } from '#/data/fleet.ts'
import { useOp } from '#/data/use-op.ts'
import { RadioField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { type Sled, sledAt } from '../queries.ts'

/** Asks what to do with the instances of a sled to drain. */
export function DrainDialog({ sled, onClose }: { sled: Sled; onClose: () => void }) {
  const { serial } = sled.baseboard
  const drain = useOp(op.sledDrainCreate)
  const whyNoMove = useWhyLacking('migration')
  const modes = [
    { value: 'move', label: 'Move them to other sleds while they run', disabled: whyNoMove !== undefined },
    { value: 'stop', label: 'Stop them' },
  ] as const
  const initial: { mode: DrainMode } = { mode: whyNoMove === undefined ? 'move' : 'stop' }
  return (
    <DialogForm
      title="Drain sled"
      submitLabel="Drain"
      pendingLabel="Starting drain"
      initial={initial}
      save={(body, send) => drain.run({ ...sledAt(sled.id), body }, send)}
      saved={() => successMessage('Drain of sled', serial, 'started')}
      onClose={onClose}
    >
      <p>
        <strong>{serial}</strong> becomes not provisionable at once, and remains so after the drain. You can
        cancel a drain, but instances that were moved or stopped do not return.
      </p>
      <RadioField<DrainMode>
        name="mode"
        label="Instances on the sled"
        hint={whyNoMove}
        options={modes}
        column
      />
    </DialogForm>
  )
}
