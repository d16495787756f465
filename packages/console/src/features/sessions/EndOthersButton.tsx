import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '#/data/use-op.ts'
import { Button } from '#/ui/Button.tsx'
import { confirmAction } from '#/features/common/confirm.tsx'

/** Ends all other sessions. */
export function EndOthersButton({ hasOthers }: { hasOthers: boolean }) {
  const end = useOp(op.currentUserSessionDeleteOthers)
  return (
    <Button
      disabledReason={hasOthers ? undefined : 'You have no other sessions'}
      onClick={() =>
        confirmAction({
          title: 'Confirm end all other sessions',
          content: (
            <p>
              Every other browser must sign in again. Access tokens keep working; delete any you do not trust.
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
