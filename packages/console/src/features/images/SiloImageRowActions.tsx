import * as op from '@gantry/api/client/operations.gen'
import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import { useLayoutEffect, useState } from 'react'
import { useOp } from '../../data/use-op.ts'
import { confirmDelete } from '../common/confirm.tsx'
import { useWhyNotInSilo } from '../common/silo-permission.ts'
import type { ActionsOf } from '../common/use-late-actions.ts'
import { DemoteImageDialog } from './DemoteImageDialog.tsx'
import { whatDisksKeep } from './image-words.ts'
import type { Image } from './queries.ts'

/** What the rows' menus of the list offer, and the dialog they open. */
export function SiloImageRowActions({ offer }: { offer: (actionsOf: ActionsOf<Image>) => void }) {
  const [demoted, setDemoted] = useState<Image>()
  const whyNotAllowed = useWhyNotInSilo()
  const remove = useOp(op.imageDelete, { refreshes: [op.imageList] })
  useLayoutEffect(() =>
    offer((image) => [
      {
        label: 'Demote',
        icon: <ArrowDownToLine aria-hidden strokeWidth={1.75} />,
        disabled: whyNotAllowed,
        onSelect: () => setDemoted(image),
      },
      {
        label: 'Delete',
        disabled: whyNotAllowed,
        onSelect: () =>
          confirmDelete({
            kind: 'image',
            name: image.name,
            extra: whatDisksKeep,
            run: () => remove.run({ path: { image: image.name } }),
          }),
      },
    ]),
  )
  return demoted && <DemoteImageDialog image={demoted} onClose={() => setDemoted(undefined)} />
}
