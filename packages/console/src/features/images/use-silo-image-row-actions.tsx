import * as op from '@gantry/api/client/operations.gen'
import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import { type ReactNode, useState } from 'react'
import { useOp } from '#/data/use-op.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { confirmDelete } from '#/features/common/confirm.tsx'
import { useWhyNotInSilo } from '#/features/common/silo-permission.ts'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import { imageDeletionNote } from './image-words.ts'
import type { Image } from './queries.ts'

const DemoteImageDialog = lazyPart(() => import('./DemoteImageDialog.tsx'), 'DemoteImageDialog')

/** The actions of a row. Render `dialog` on the page. */
export function useSiloImageRowActions(): { actions: ActionsOf<Image>; dialog: ReactNode } {
  const [demoted, setDemoted] = useState<Image>()
  const whyNotAllowed = useWhyNotInSilo()
  const remove = useOp(op.imageDelete)
  const actions: ActionsOf<Image> = (image) => [
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
          extra: imageDeletionNote,
          run: () => remove.run({ path: { image: image.name } }),
        }),
    },
  ]
  const dialog = demoted && <DemoteImageDialog image={demoted} onClose={() => setDemoted(undefined)} />
  return { actions, dialog }
}
