import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ImagePanel } from '#/features/images/ImagePanel.tsx'
import { siloImageView } from '#/features/images/queries.ts'

export const Route = createFileRoute('/_console/_silo/_images/images/$image/edit')({
  loader: ({ context, params }) => context.prefetch(siloImageView(params.image)),
  staticData: { title: 'Edit image' },
  component: SiloImage,
})

function SiloImage() {
  const { data } = useSuspenseQuery(siloImageView(Route.useParams().image))
  return <ImagePanel image={data} closeTo={{ to: '/images' }} />
}
