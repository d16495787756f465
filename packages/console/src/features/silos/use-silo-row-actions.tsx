import * as op from '@gantry/api/client/operations.gen'
import { useWhyNot } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/features/common/confirm.tsx'
import { type Deletion, reportDeletion } from '#/features/common/report-deletion.ts'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import { type Silo, siloAt } from './queries.ts'
import { SiloContents } from './SiloContents.tsx'

/** The actions of a row and of the silo's own page, which leaves after the deletion in `onDelete`. */
export function useSiloRowActions(onDelete?: (is: Deletion) => void): ActionsOf<Silo> {
  const whyNotAllowed = useWhyNot({ action: 'modify', object: 'fleet' })
  const remove = useOp(op.siloDelete)
  return ({ name }) => [
    {
      label: 'Delete',
      disabled: whyNotAllowed,
      onSelect: () =>
        confirmDelete({
          kind: 'silo',
          name,
          extra: <SiloContents silo={name} />,
          run: () => reportDeletion(() => remove.run(siloAt(name)), onDelete),
        }),
    },
  ]
}
