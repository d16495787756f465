import { createFileRoute } from '@tanstack/react-router'
import Disc3 from 'lucide-react/icons/disc-3'
import { useMemo } from 'react'
import { DocsPopover } from '../../../../../features/common/DocsPopover.tsx'
import { usePaletteItems } from '../../../../../features/common/palette-items.ts'
import { useWhyNotInProject } from '../../../../../features/common/project-permission.ts'
import { ResourceList } from '../../../../../features/common/ResourceList.tsx'
import { pageSearch, useListPage } from '../../../../../features/common/use-list-page.ts'
import { imageColumns } from '../../../../../features/images/image-columns.ts'
import { imagePaths, imagesIn } from '../../../../../features/images/queries.ts'
import { lazyPart } from '../../../../../ui/lazy-part.tsx'
import { useProjectImageRowActions } from '../../../../../features/images/use-project-image-row-actions.tsx'

const UnfinishedUploads = lazyPart(
  () => import('../../../../../features/images/upload/UnfinishedUploads.tsx'),
  'UnfinishedUploads',
)

export const Route = createFileRoute('/_console/projects/$project/_images')({
  validateSearch: pageSearch,
  loader: ({ context, params, location }) =>
    context.prefetch(imagesIn(params.project).at(pageSearch(location.search).page)),
  staticData: { crumb: ({ project = '' }) => ({ label: 'Images', path: imagePaths.list(project) }) },
  component: ProjectImages,
})

function ProjectImages() {
  const { project } = Route.useParams()
  const list = useListPage(imagesIn(project))
  const { actions, dialog } = useProjectImageRowActions(project)
  const columns = useMemo(() => imageColumns(({ name }) => imagePaths.view(project, name)), [project])
  const whyNotAllowed = useWhyNotInProject(project)
  const uploadTo = imagePaths.upload(project)

  usePaletteItems([
    ...(whyNotAllowed ? [] : [{ label: 'Upload image', to: uploadTo }]),
    ...(list.rows ?? []).map(({ name }) => ({
      label: name,
      group: 'Go to image',
      icon: Disc3,
      to: imagePaths.view(project, name),
    })),
  ])

  return (
    <ResourceList
      title="Project Images"
      docs={
        <DocsPopover topic="images">
          Images are templates for new disks, usually with an operating system. Project images are visible in
          their project only; promoted images are visible in all projects of the silo.
        </DocsPopover>
      }
      create={{ to: uploadTo, label: 'Upload image', whyNot: whyNotAllowed }}
      empty={{
        title: 'No images',
        text: 'Images are templates for new disks. Upload one, or create one from a snapshot, to see it here.',
      }}
      list={list}
      columns={columns}
      actions={actions}
    >
      <UnfinishedUploads project={project} />
      {dialog}
    </ResourceList>
  )
}
