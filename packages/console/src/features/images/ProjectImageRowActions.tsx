import * as op from '@gantry/api/client/operations.gen'
import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line'
import { useLayoutEffect, useState } from 'react'
import { useOp } from '../../data/use-op.ts'
import { confirmDelete } from '../common/confirm.tsx'
import { useWhyNotInProject } from '../common/project-permission.ts'
import { useWhyNotInSilo } from '../common/silo-permission.ts'
import type { ActionsOf } from '../common/use-late-actions.ts'
import { whatDisksKeep } from './image-words.ts'
import { PromoteImageDialog } from './PromoteImageDialog.tsx'
import type { Image } from './queries.ts'

interface Props {
  project: string
  offer: (actionsOf: ActionsOf<Image>) => void
}

/** What the rows' menus of the list offer, and the dialog they open. */
export function ProjectImageRowActions({ project, offer }: Props) {
  const [promoted, setPromoted] = useState<Image>()
  const whyNotAllowed = useWhyNotInProject(project)
  const whyNotInSilo = useWhyNotInSilo()
  const remove = useOp(op.imageDelete, { refreshes: [op.imageList] })
  useLayoutEffect(() =>
    offer((image) => [
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
            extra: whatDisksKeep,
            run: () => remove.run({ path: { image: image.name }, query: { project } }),
          }),
      },
    ]),
  )
  return (
    promoted && (
      <PromoteImageDialog project={project} image={promoted} onClose={() => setPromoted(undefined)} />
    )
  )
}
