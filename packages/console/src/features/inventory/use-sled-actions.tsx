import * as op from '@gantry/api/client/operations.gen'
import { whyNotExpunge } from '@gantry/api/system/hardware.rules'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleSlash from 'lucide-react/icons/circle-slash'
import PackageOpen from 'lucide-react/icons/package-open'
import Trash2 from 'lucide-react/icons/trash-2'
import { type ReactNode, useState } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import type { RowAction } from '#/kit/list/row-menu.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { formatCount } from '#/ui/data/format-amounts.ts'
import { formatBytes, formatNumber } from '#/ui/data/format.ts'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { isProvisionable } from './hardware-columns.tsx'
import { hasUses, type Sled, sledAt, type SledUse } from './queries.ts'

const DrainDialog = lazyPart(() => import('./drain/DrainDialog.tsx'), 'DrainDialog')

/** A sled, and whether a drain of it is running. */
interface ActedOn {
  sled: Sled
  isDraining: boolean
  /** Undefined while its use is not known. */
  use: SledUse | undefined
}

interface SledActions {
  actions: (row: ActedOn) => RowAction[]
  removal: (row: ActedOn) => RowAction
  /** Render it on the page. */
  dialog: ReactNode
}

/** The menu of a sled, in its row and on its page. */
export function useSledActions(): SledActions {
  const [draining, setDraining] = useState<Sled>()
  const whyNotAllowed = useWhyNotOnFleet()
  const setPolicy = useOp(op.sledSetProvisionPolicy)
  const expunge = useOp(op.sledExpunge)

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

  const removal = ({ sled, use }: ActedOn): RowAction => ({
    label: 'Remove for good',
    icon: <Trash2 aria-hidden strokeWidth={1.75} />,
    danger: true,
    disabled: whyNotAllowed ?? whyNotRemove(sled, use),
    onSelect: () =>
      confirmAction({
        title: 'Remove sled for good',
        content: <Removal sled={sled} instances={use?.instances.length ?? 0} />,
        kind: 'danger',
        pendingLabel: 'Removing',
        errorTitle: 'Could not remove the sled',
        success: successMessage('Sled', sled.baseboard.serial, 'removed for good'),
        run: () => expunge.run(sledAt(sled.id)),
      }),
  })

  return {
    actions: (row) => {
      const { id, baseboard } = row.sled
      return [
        policyAction(row),
        ...tagActions('sled', { id, name: baseboard.serial }, whyNotAllowed),
        ...(hasUses() ? [drainAction(row), removal(row)] : []),
      ]
    },
    removal,
    dialog: draining && <DrainDialog sled={draining} onClose={() => setDraining(undefined)} />,
  }
}

function whyNotRemove({ policy, state }: Sled, use: SledUse | undefined): string | undefined {
  if (!use) return whyNotExpunge({ condition: policy.kind === 'expunged' ? policy.kind : state, ...unused })
  const { condition, engine, instances } = use
  return whyNotExpunge({ condition, isFound: engine !== null, instances: instances.length })
}

const unused = { isFound: false, instances: 0 }

/** The objects that are removed with a sled. */
function Removal({ sled, instances }: { sled: Sled; instances: number }) {
  const { baseboard, usableHardwareThreads, usablePhysicalRam } = sled
  return (
    <>
      <p>
        Remove sled <strong>{baseboard.serial}</strong>? Its {formatNumber(usableHardwareThreads)} threads,{' '}
        {formatBytes(usablePhysicalRam)} of memory and all its disks leave the capacity for good.
      </p>
      {instances > 0 && <p>{formatCount(instances, 'instance')} that cannot be seen on it will be failed.</p>}
      <p>It never returns to service, even if it runs again.</p>
    </>
  )
}
