import { createFileRoute } from '@tanstack/react-router'
import { withActivitySearch } from '#/features/activity/WithActivity.tsx'
import { siloImageLink } from '#/features/images/links.ts'
import { ImagePage } from '#/features/storage-pages/ImagePage.tsx'
import { siloImageView } from '#/features/images/queries.ts'
import { useSiloImageActions } from '#/features/images/use-image-actions.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'

export const Route = createFileRoute('/_console/_silo/images/$image/')({
  validateSearch: withActivitySearch,
  loader: ({ context, params }) => context.prefetch(siloImageView(params.image)),
  staticData: {
    crumb: [
      { label: 'Images', to: '/images' },
      { param: 'image', to: '/images/$image' },
    ],
  },
  component: SiloImage,
})

function SiloImage() {
  const { image: name } = Route.useParams()
  const { data: image, onDelete } = useViewed(siloImageView(name), { to: '/images' })
  return (
    <ImagePage
      image={image}
      link={siloImageLink(name)}
      {...useSiloImageActions(onDelete)}
      asked={Route.useSearch()}
    />
  )
}
