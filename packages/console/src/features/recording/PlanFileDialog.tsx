// @chunk apart: of the pages of plans, where few have a file.
import { useState } from 'react'
import { NoPlan, planLimits, readPlan } from '#/kit/code/plan-file.ts'
import { useStore } from '#/store.ts'
import { Button } from '#/ui/Button.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { FileField } from '#/ui/inputs/FileField.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { openPlan, planRun, reopenPlan } from './plan-run.ts'
import { PlanDialog } from './PlanDialog.tsx'

/** Opens a plan that was recorded, from its file, or the one that an earlier page of this tab left. */
export function PlanFileDialog({ onClose }: { onClose: () => void }) {
  useState(reopenPlan)
  const run = useStore(planRun)
  const [error, setError] = useState<string>()
  const choose = async (file: File | undefined): Promise<void> => {
    setError(undefined)
    if (!file) return
    try {
      if (file.size > planLimits.characters * 4) throw new NoPlan('The file is too large for a plan.')
      openPlan(readPlan(await file.text()))
    } catch (problem) {
      setError(problem instanceof NoPlan ? problem.message : 'The file cannot be read. Choose it again.')
    }
  }
  if (run) return <PlanDialog onClose={onClose} />
  return (
    <Dialog
      title="Run a recorded plan"
      onRequestClose={onClose}
      footer={
        <Button size="lg" onClick={onClose}>
          Cancel
        </Button>
      }
    >
      <p className="text-muted">
        Record what you do, and download it as a plan. Its steps are shown here before anything is sent.
      </p>
      <Field label="Plan" error={error}>
        <FileField value={undefined} accept={['.json']} onChange={(file) => void choose(file)} />
      </Field>
    </Dialog>
  )
}
