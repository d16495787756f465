import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line'
import Disc3 from 'lucide-react/icons/disc-3'
import { type ReactNode, useMemo, useState } from 'react'
import { useWhyNotInProject, useWhyNotInSilo } from '#/data/permissions.ts'
import { useDeletion } from '#/kit/feedback/use-deletion.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { deleteImageAction } from '#/features/images/delete-action.ts'
import { projectImageLink } from '#/features/images/links.ts'
import { imageColumns } from '#/features/images/parts.ts'
import { foundImages, type Image } from '#/features/images/queries.ts'
import { imageUploadsIn } from '#/features/images/upload/queries.ts'
import { useProtections } from '#/features/protection/use-protections.tsx'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

const UnfinishedUploads = lazyPart(
  () => import('#/features/images/upload/UnfinishedUploads.tsx'),
  'UnfinishedUploads',
)

export const Route = createFileRoute('/_console/projects/$project/_images')({
  validateSearch: findSearch,
  loader: async ({ params: { project }, ...visit }) => {
    // Unfinished uploads are above the list, and would push it down if they came later.
    await Promise.all([
      loadList(visit, foundImages({ project }, findSearch(visit.location.search))),
      visit.context.tryPrefetch(imageUploadsIn(project)),
      UnfinishedUploads.prefetch(),
    ])
  },
  staticData: { crumb: { label: 'Images', to: '/projects/$project/images' } },
  component: ProjectImages,
})

function ProjectImages() {
  const { project } = Route.useParams()
  const { actions, dialog } = useProjectImageRowActions(project)
  const query = foundImages({ project }, Route.useSearch())
  const { columns, find } = useFound({
    kind: 'image',
    pluralNoun: 'images',
    place: { project },
    list: query,
    columns: useMemo(() => imageColumns(({ name }) => projectImageLink(project, name), project), [project]),
  })
  return (
    <ResourceList
      kind="image"
      icon={Disc3}
      title="Project Images"
      docs={
        <DocsPopover topic="images">
          Images are templates for new disks, usually with an operating system. Project images are visible in
          their project only; promoted images are visible in all projects of the silo.
        </DocsPopover>
      }
      list={useListPage(query)}
      columns={columns}
      find={find}
      actions={actions}
      rowEntry={({ name }) => ({ label: name, link: projectImageLink(project, name), over: true })}
      create={{
        link: { to: '/projects/$project/images-new', params: { project } },
        verb: 'Upload',
        whyNot: useWhyNotInProject(project),
      }}
      empty={{
        title: 'No images',
        text: 'Images are templates for new disks. Upload one, or create one from a snapshot, to see it here.',
      }}
    >
      <UnfinishedUploads project={project} />
      {dialog}
    </ResourceList>
  )
}

const PromoteImageDialog = lazyPart(() => import('#/features/images/MoveDialogs.tsx'), 'PromoteImageDialog')

/** The actions of a row. Render `dialog` on the page. */
function useProjectImageRowActions(project: string): { actions: ActionsOf<Image>; dialog: ReactNode } {
  const [promoted, setPromoted] = useState<Image>()
  const whyNotAllowed = useWhyNotInProject(project)
  const whyNotInSilo = useWhyNotInSilo()
  const remove = useDeletion(op.imageDelete, 'image')
  const protections = useProtections('image', project)
  const actions: ActionsOf<Image> = (image) => [
    {
      label: 'Promote',
      icon: <ArrowUpFromLine aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? whyNotInSilo,
      onSelect: () => setPromoted(image),
    },
    ...tagActions('image', image, whyNotAllowed, project),
    ...protections.actionsFor(image, whyNotAllowed),
    deleteImageAction(image, whyNotAllowed ?? protections.whyNot(image.id, 'delete'), (isForGood, send) =>
      remove(image, { path: { image: image.name }, query: { project } }, isForGood, send),
    ),
  ]
  const dialog = (
    <>
      {promoted && (
        <PromoteImageDialog project={project} image={promoted} onClose={() => setPromoted(undefined)} />
      )}
      {protections.dialog}
    </>
  )
  return { actions, dialog }
}
