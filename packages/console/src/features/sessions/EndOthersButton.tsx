import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '../../data/use-op.ts'
import { Button } from '../../ui/Button.tsx'
import { confirmAction } from '../common/confirm.tsx'

/** Signs out everywhere but here. */
export function EndOthersButton({ hasOthers }: { hasOthers: boolean }) {
  const end = useOp(op.currentUserSessionDeleteOthers)
  return (
    <Button
      disabledReason={hasOthers ? undefined : 'You are signed in nowhere else'}
      onClick={() =>
        confirmAction({
          title: 'Confirm end all other sessions',
          content: (
            <p>
              Every browser but this one will have to sign in again. Access tokens go on working; delete those
              that you do not trust too.
            </p>
          ),
          kind: 'danger',
          confirmLabel: 'End sessions',
          pendingLabel: 'Ending',
          errorTitle: 'Could not end sessions',
          success: 'All other sessions ended',
          run: () => end.run({}),
        })
      }
    >
      End all others
    </Button>
  )
}
