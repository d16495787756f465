import * as op from '@gantry/api/client/operations.gen'
import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line'
import { type ReactNode, useState } from 'react'
import { useWhyNotInProject, useWhyNotSiloImages } from '#/data/permissions.ts'
import { useDeletion } from '#/kit/feedback/use-deletion.ts'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { useProtections } from '#/features/protection/use-protections.tsx'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { deleteImageAction } from './delete-action.ts'
import type { Image } from './queries.ts'

/** Of the image's own page: its address ends when the image is deleted, and when it moves. */
type OnLeave = (is: Deletion) => void

/** The actions of a row and of the image's own page. Render `dialog` on the page. */
interface ImageActions {
  actions: ActionsOf<Image>
  dialog: ReactNode
}

const HardwareDialog = lazyPart(() => import('./HardwareDialog.tsx'), 'HardwareDialog')

/** Changes what machines have that boot from the image, where the server knows of that. */
function useHardware(whyNotAllowed: string | undefined, project?: string) {
  const [changed, setChanged] = useState<Image>()
  const actions: ActionsOf<Image> = (image) =>
    image.hardware
      ? [{ label: 'Change hardware', disabled: whyNotAllowed, onSelect: () => setChanged(image) }]
      : []
  const dialog = changed?.hardware && (
    <HardwareDialog
      project={project}
      image={changed}
      hardware={changed.hardware}
      onClose={() => setChanged(undefined)}
    />
  )
  return { actions, dialog }
}

const PromoteImageDialog = lazyPart(() => import('./MoveDialogs.tsx'), 'PromoteImageDialog')

export function useProjectImageActions(project: string, onLeave?: OnLeave): ImageActions {
  const [promoted, setPromoted] = useState<Image>()
  const whyNotAllowed = useWhyNotInProject(project)
  const whyNotSiloImages = useWhyNotSiloImages()
  const remove = useDeletion(op.imageDelete, 'image')
  const protections = useProtections('image', project)
  const hardware = useHardware(whyNotAllowed, project)
  const actions: ActionsOf<Image> = (image) => [
    {
      label: 'Promote',
      icon: <ArrowUpFromLine aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? whyNotSiloImages,
      onSelect: () => setPromoted(image),
    },
    ...hardware.actions(image),
    ...tagActions('image', image, whyNotAllowed, project),
    ...protections.actionsFor(image, whyNotAllowed),
    deleteImageAction(image, whyNotAllowed ?? protections.whyNot(image.id, 'delete'), (isForGood, send) =>
      reportDeletion(
        () => remove(image, { path: { image: image.name }, query: { project } }, isForGood, send),
        onLeave,
      ),
    ),
  ]
  const dialog = (
    <>
      {promoted && (
        <PromoteImageDialog
          project={project}
          image={promoted}
          onMove={onLeave}
          onClose={() => setPromoted(undefined)}
        />
      )}
      {hardware.dialog}
      {protections.dialog}
    </>
  )
  return { actions, dialog }
}

const DemoteImageDialog = lazyPart(() => import('./MoveDialogs.tsx'), 'DemoteImageDialog')

export function useSiloImageActions(onLeave?: OnLeave): ImageActions {
  const [demoted, setDemoted] = useState<Image>()
  const whyNotAllowed = useWhyNotSiloImages()
  const remove = useDeletion(op.imageDelete, 'image')
  const protections = useProtections('image')
  const hardware = useHardware(whyNotAllowed)
  const actions: ActionsOf<Image> = (image) => [
    {
      label: 'Demote',
      icon: <ArrowDownToLine aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      onSelect: () => setDemoted(image),
    },
    ...hardware.actions(image),
    ...tagActions('image', image, whyNotAllowed),
    ...protections.actionsFor(image, whyNotAllowed),
    deleteImageAction(image, whyNotAllowed ?? protections.whyNot(image.id, 'delete'), (isForGood, send) =>
      reportDeletion(() => remove(image, { path: { image: image.name } }, isForGood, send), onLeave),
    ),
  ]
  const dialog = (
    <>
      {demoted && (
        <DemoteImageDialog image={demoted} onMove={onLeave} onClose={() => setDemoted(undefined)} />
      )}
      {hardware.dialog}
      {protections.dialog}
    </>
  )
  return { actions, dialog }
}

const scopes = {
  project:
    'Project images are visible in their project only; promoted images are visible in all projects of the silo.',
  silo: 'Silo images are visible in all projects of the silo. Create them in a project, then promote them.',
}

export const ImageDocs = ({ of }: { of: keyof typeof scopes }) => (
  <DocsPopover topic="images" page="storage#images">
    Images are templates for new disks, usually with an operating system. {scopes[of]}
  </DocsPopover>
)
