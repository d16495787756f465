import * as op from '@gantry/api/client/operations.gen'
import { type ReactNode, useState } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import type { RowAction } from '#/kit/list/row-menu.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { SystemIssue } from './queries.ts'

const AcknowledgeDialog = lazyPart(() => import('./AcknowledgeDialog.tsx'), 'AcknowledgeDialog')

interface IssueActions {
  /** The actions on an open issue, besides opening a page. */
  actions: (issue: SystemIssue) => RowAction[]
  /** Render it on the page. */
  dialog: ReactNode
}

/** The menu of an issue. */
export function useIssueActions(): IssueActions {
  const [acknowledging, setAcknowledging] = useState<SystemIssue>()
  const whyNot = useWhyNotOnFleet()
  const withdraw = useOp(op.issueAcknowledgementRemove)
  const endFault = useOp(op.faultRemove)

  const confirmEnd = (id: string, { label, message }: { label: string; message: string }): void =>
    confirmAction({
      title: label,
      content: (
        <>
          <p>
            <strong className="wrap-anywhere">{message}</strong>
          </p>
          <p>The issue ends. Instances that failed stay failed until they are started.</p>
        </>
      ),
      pendingLabel: 'Ending fault',
      errorTitle: 'Could not end the fault',
      success: 'Fault ended',
      run: () => endFault.run({ path: { faultId: id } }),
    })

  function actions(issue: SystemIssue): RowAction[] {
    const { fault, message, acknowledgement } = issue
    const label = fault?.kind === 'sled_lost' ? 'Mark sled as back' : 'End fault'
    return [
      ...(fault
        ? [{ label, disabled: whyNot, onSelect: () => confirmEnd(fault.id, { label, message }) }]
        : []),
      {
        label: acknowledgement ? 'Change note' : 'Acknowledge',
        disabled: whyNot,
        onSelect: () => setAcknowledging(issue),
      },
      ...(acknowledgement
        ? [
            {
              label: 'Withdraw acknowledgement',
              disabled: whyNot,
              onSelect: () =>
                confirmAction({
                  title: 'Withdraw acknowledgement',
                  content: <p>Your colleagues no longer see that somebody looks after this issue.</p>,
                  pendingLabel: 'Withdrawing',
                  errorTitle: 'Could not withdraw the acknowledgement',
                  success: 'Acknowledgement withdrawn',
                  run: () => withdraw.run({ path: { issue: issue.id } }),
                }),
            },
          ]
        : []),
    ]
  }

  return {
    actions,
    dialog: acknowledging && (
      <AcknowledgeDialog issue={acknowledging} onClose={() => setAcknowledging(undefined)} />
    ),
  }
}
