import { createFileRoute, Outlet } from '@tanstack/react-router'
import { Disc3 } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { DocsPopover } from '../../../../../features/common/DocsPopover.tsx'
import { EmptyState } from '../../../../../features/common/EmptyState.tsx'
import { ListPage, NewLink } from '../../../../../features/common/ListPage.tsx'
import { usePaletteItems } from '../../../../../features/common/palette-items.ts'
import { useWhyNotInProject } from '../../../../../features/common/project-permission.ts'
import { ResourceTable } from '../../../../../features/common/ResourceTable.tsx'
import { useLateActions } from '../../../../../features/common/use-late-actions.ts'
import { pageSearch, useListPage } from '../../../../../features/common/use-list-page.ts'
import { imageColumns } from '../../../../../features/images/image-columns.ts'
import { type Image, imagePaths, imagesIn } from '../../../../../features/images/queries.ts'
import { patiently } from '../../../../../ui/late.ts'

const ProjectImageRowActions = lazy(async () => ({
  default: (await patiently(() => import('../../../../../features/images/ProjectImageRowActions.tsx')))
    .ProjectImageRowActions,
}))

const UnfinishedUploads = lazy(async () => ({
  default: (await patiently(() => import('../../../../../features/images/upload/UnfinishedUploads.tsx')))
    .UnfinishedUploads,
}))

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
  const columns = useMemo(() => imageColumns(({ name }) => imagePaths.view(project, name)), [project])
  const whyNotAllowed = useWhyNotInProject(project)
  const late = useLateActions<Image>()
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
    <ListPage
      title="Project Images"
      docs={
        <DocsPopover topic="images">
          An image is what new disks begin with, usually an operating system. Images of a project are seen in
          it alone; a promoted one is seen in all projects of the silo.
        </DocsPopover>
      }
      actions={
        <NewLink to={uploadTo} disabled={whyNotAllowed}>
          Upload image
        </NewLink>
      }
    >
      <Suspense>
        <UnfinishedUploads project={project} />
      </Suspense>
      <ResourceTable
        label="Project Images"
        list={list}
        columns={columns}
        actions={late.actions}
        prepareActions={late.prepare}
        empty={
          <EmptyState
            title="No images"
            action={
              <NewLink kind="default" to={uploadTo} disabled={whyNotAllowed}>
                Upload image
              </NewLink>
            }
          >
            Images are what disks begin with. Upload one, or make one from a snapshot, to see it here.
          </EmptyState>
        }
      />
      {late.isWanted && (
        <Suspense>
          <ProjectImageRowActions project={project} offer={late.offer} />
        </Suspense>
      )}
      <Outlet />
    </ListPage>
  )
}
