import { createFileRoute } from '@tanstack/react-router'
import Disc3 from 'lucide-react/icons/disc-3'
import { useMemo } from 'react'
import { DocsPopover } from '#/features/common/DocsPopover.tsx'
import { loadList } from '#/features/common/load-list.ts'
import { useWhyNotInProject } from '#/features/common/project-permission.ts'
import { ResourceList } from '#/features/common/ResourceList.tsx'
import { pageSearch, useListPage } from '#/features/common/use-list-page.ts'
import { imageColumns } from '#/features/images/image-columns.ts'
import { projectImageLink } from '#/features/images/links.ts'
import { imagesIn } from '#/features/images/queries.ts'
import { useProjectImageRowActions } from '#/features/images/use-project-image-row-actions.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

const UnfinishedUploads = lazyPart(
  () => import('#/features/images/upload/UnfinishedUploads.tsx'),
  'UnfinishedUploads',
)

export const Route = createFileRoute('/_console/projects/$project/_images')({
  validateSearch: pageSearch,
  loader: ({ params: { project }, ...visit }) => loadList(visit, imagesIn(project)),
  staticData: { crumb: { label: 'Images', to: '/projects/$project/images' } },
  component: ProjectImages,
})

function ProjectImages() {
  const { project } = Route.useParams()
  const { actions, dialog } = useProjectImageRowActions(project)
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
      list={useListPage(imagesIn(project))}
      columns={useMemo(() => imageColumns(({ name }) => projectImageLink(project, name)), [project])}
      actions={actions}
      rowEntry={({ name }) => ({ label: name, link: projectImageLink(project, name) })}
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
