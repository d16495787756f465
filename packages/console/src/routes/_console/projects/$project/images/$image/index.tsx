import { createFileRoute } from '@tanstack/react-router'
import { withActivitySearch } from '#/features/activity/WithActivity.tsx'
import { projectImageLink } from '#/features/images/links.ts'
import { ImagePage } from '#/features/storage-pages/ImagePage.tsx'
import { projectImageView } from '#/features/images/queries.ts'
import { useProjectImageActions } from '#/features/images/use-image-actions.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'

export const Route = createFileRoute('/_console/projects/$project/images/$image/')({
  validateSearch: withActivitySearch,
  loader: ({ context, params: { project, image } }) => context.prefetch(projectImageView(project, image)),
  staticData: {
    crumb: [
      { label: 'Images', to: '/projects/$project/images' },
      { param: 'image', to: '/projects/$project/images/$image' },
    ],
  },
  component: ProjectImage,
})

function ProjectImage() {
  const { project, image: name } = Route.useParams()
  const { data: image, onDelete } = useViewed(projectImageView(project, name), {
    to: '/projects/$project/images',
    params: { project },
  })
  return (
    <ImagePage
      image={image}
      project={project}
      link={projectImageLink(project, name)}
      {...useProjectImageActions(project, onDelete)}
      asked={Route.useSearch()}
    />
  )
}
