import { createFileRoute } from '@tanstack/react-router'
import Disc3 from 'lucide-react/icons/disc-3'
import { useMemo } from 'react'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { projectImageLink } from '#/features/images/links.ts'
import { imageColumns } from '#/features/images/parts.ts'
import { foundImages } from '#/features/images/queries.ts'
import { ImageDocs, useProjectImageActions } from '#/features/images/use-image-actions.tsx'
import { bulkImages } from '#/features/images/bulk.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { imageUploadsIn } from '#/features/images/upload/queries.ts'
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
  const { actions, dialog } = useProjectImageActions(project)
  const whyNotAllowed = useWhyNotInProject(project)
  const query = foundImages({ project }, Route.useSearch())
  const list = useListPage(query)
  const { columns, find } = useFound({
    kind: 'image',
    pluralNoun: 'images',
    place: { project },
    list: query,
    rows: list.rows,
    columns: useMemo(() => imageColumns(({ name }) => projectImageLink(project, name), project), [project]),
    bulk: bulkImages(whyNotAllowed),
  })
  return (
    <ResourceList
      kind="image"
      icon={Disc3}
      title="Project Images"
      docs={<ImageDocs of="project" />}
      list={list}
      columns={columns}
      find={find}
      actions={actions}
      rowEntry={({ name }) => ({ label: name, link: projectImageLink(project, name) })}
      create={{
        link: { to: '/projects/$project/images-new', params: { project } },
        verb: 'Upload',
        whyNot: whyNotAllowed,
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
