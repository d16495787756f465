import * as op from '@gantry/api/client/operations.gen'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { Button } from '#/ui/Button.tsx'

interface Props {
  serial: string
  /** All faults that mark the sled lost. */
  faults: readonly string[]
}

/** Ends what marks a sled lost. */
export function MarkAsBack({ serial, faults }: Props) {
  const whyNot = useWhyNotOnFleet()
  const remove = useOp(op.faultRemove)
  const confirm = (): void =>
    confirmAction({
      title: 'Mark sled as back',
      content: (
        <>
          <p>
            Instances can be placed on <strong>{serial}</strong> again, if its provision policy allows.
          </p>
          <p>Instances that failed with it stay failed until they are started.</p>
        </>
      ),
      pendingLabel: 'Marking',
      errorTitle: 'Could not mark the sled as back',
      success: successMessage('Sled', serial, 'is back'),
      run: () => Promise.all(faults.map((faultId) => remove.run({ path: { faultId } }))),
    })
  return (
    <Button disabledReason={whyNot} onClick={confirm}>
      <RotateCw aria-hidden strokeWidth={1.75} className="-ml-0.5 size-4" />
      Mark as back…
    </Button>
  )
}
