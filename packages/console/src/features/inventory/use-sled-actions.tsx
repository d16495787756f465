import * as op from '@gantry/api/client/operations.gen'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleSlash from 'lucide-react/icons/circle-slash'
import PackageOpen from 'lucide-react/icons/package-open'
import { type ReactNode, useState } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/features/common/confirm.tsx'
import type { RowAction } from '#/features/common/row-menu.tsx'
import { successMessage } from '#/features/common/success-message.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { isProvisionable } from './hardware-columns.tsx'
import { hasUses, type Sled, sledAt } from './queries.ts'

const DrainDialog = lazyPart(() => import('./drain/DrainDialog.tsx'), 'DrainDialog')

/** A sled, and whether a drain of it is running. */
interface ActedOn {
  sled: Sled
  isDraining: boolean
}

interface SledActions {
  actions: (row: ActedOn) => RowAction[]
  /** Render it on the page. */
  dialog: ReactNode
}

/** The menu of a sled, in its row and on its page. */
export function useSledActions(): SledActions {
  const [draining, setDraining] = useState<Sled>()
  const whyNotAllowed = useWhyNotOnFleet()
  const setPolicy = useOp(op.sledSetProvisionPolicy)

  const whyNot = ({ sled, isDraining }: ActedOn): string | undefined => {
    if (whyNotAllowed) return whyNotAllowed
    if (sled.policy.kind === 'expunged') return 'The sled is expunged'
    return isDraining ? 'The sled is being drained. Cancel the drain first' : undefined
  }

  function policyAction(row: ActedOn): RowAction {
    const { sled } = row
    const { serial } = sled.baseboard
    const state = isProvisionable(sled) ? 'non_provisionable' : 'provisionable'
    const word = state === 'provisionable' ? 'provisionable' : 'not provisionable'
    return {
      label: `Make ${word}`,
      icon:
        state === 'provisionable' ? (
          <CircleCheck aria-hidden strokeWidth={1.75} />
        ) : (
          <CircleSlash aria-hidden strokeWidth={1.75} />
        ),
      disabled: whyNot(row),
      onSelect: () =>
        confirmAction({
          title: `Make ${word}`,
          content: (
            <p>
              {state === 'provisionable' ? 'Instances can be placed on ' : 'No more instances are placed on '}
              <strong>{serial}</strong>
              {state === 'provisionable' ? ' again.' : '. Those that run there keep running.'}
            </p>
          ),
          pendingLabel: 'Updating',
          errorTitle: 'Could not change the provision policy',
          success: successMessage('Sled', serial, `is ${word} now`),
          run: () => setPolicy.run({ ...sledAt(sled.id), body: { state } }),
        }),
    }
  }

  const drainAction = (row: ActedOn): RowAction => ({
    label: 'Drain',
    icon: <PackageOpen aria-hidden strokeWidth={1.75} />,
    disabled: whyNot(row),
    onSelect: () => setDraining(row.sled),
  })

  return {
    actions: (row) => [policyAction(row), ...(hasUses() ? [drainAction(row)] : [])],
    dialog: draining && <DrainDialog sled={draining} onClose={() => setDraining(undefined)} />,
  }
}
