import * as op from '@gantry/api/client/operations.gen'
import { recycleBinHours } from '@gantry/api/history/recycle-bin.rules'
import { useOp } from '#/data/use-op.ts'
import { NumberField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'

/** For how long the silo keeps what is deleted. */
export function KeptForDialog({ hours, onClose }: { hours: number; onClose: () => void }) {
  const update = useOp(op.recycleBinSettingsUpdate)
  return (
    <DialogForm
      title="Edit recycle bin"
      submitLabel="Save"
      pendingLabel="Saving"
      initial={{ hours }}
      save={(body, send) => update.run({ body }, send)}
      saved={() => 'Recycle bin updated'}
      onClose={onClose}
    >
      <p className="text-muted">
        For all projects of the silo. What is in a recycle bin already keeps its time.
      </p>
      <NumberField
        name="hours"
        label="Kept for"
        unit="hours"
        min={recycleBinHours.min}
        max={recycleBinHours.max}
        hint="0 turns the recycle bin off, and 720 hours are 30 days."
      />
    </DialogForm>
  )
}
