import * as op from '@gantry/api/client/operations.gen'
import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line'
import { type ReactNode, useState } from 'react'
import { useOp } from '#/data/use-op.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { confirmDelete } from '#/features/common/confirm.tsx'
import { useWhyNotInProject } from '#/features/common/project-permission.ts'
import { useWhyNotInSilo } from '#/features/common/silo-permission.ts'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import { imageDeletionNote } from './image-words.ts'
import type { Image } from './queries.ts'

const PromoteImageDialog = lazyPart(() => import('./PromoteImageDialog.tsx'), 'PromoteImageDialog')

/** The actions of a row. Render `dialog` on the page. */
export function useProjectImageRowActions(project: string): { actions: ActionsOf<Image>; dialog: ReactNode } {
  const [promoted, setPromoted] = useState<Image>()
  const whyNotAllowed = useWhyNotInProject(project)
  const whyNotInSilo = useWhyNotInSilo()
  const remove = useOp(op.imageDelete)
  const actions: ActionsOf<Image> = (image) => [
    {
      label: 'Promote',
      icon: <ArrowUpFromLine aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? whyNotInSilo,
      onSelect: () => setPromoted(image),
    },
    {
      label: 'Delete',
      disabled: whyNotAllowed,
      onSelect: () =>
        confirmDelete({
          kind: 'image',
          name: image.name,
          extra: imageDeletionNote,
          run: () => remove.run({ path: { image: image.name }, query: { project } }),
        }),
    },
  ]
  const dialog = promoted && (
    <PromoteImageDialog project={project} image={promoted} onClose={() => setPromoted(undefined)} />
  )
  return { actions, dialog }
}
