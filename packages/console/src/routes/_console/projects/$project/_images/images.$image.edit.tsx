import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ImagePanel } from '#/features/images/ImagePanel.tsx'
import { projectImageView } from '#/features/images/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/_images/images/$image/edit')({
  loader: ({ context, params }) => context.prefetch(projectImageView(params.project, params.image)),
  staticData: { title: 'Edit image' },
  component: ProjectImage,
})

function ProjectImage() {
  const { project, image } = Route.useParams()
  const { data } = useSuspenseQuery(projectImageView(project, image))
  return <ImagePanel image={data} closeTo={{ to: '/projects/$project/images', params: { project } }} />
}
