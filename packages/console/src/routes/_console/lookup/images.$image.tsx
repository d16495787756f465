import { createFileRoute } from '@tanstack/react-router'
import { imageLinkFrom } from '#/features/images/links.ts'
import { imageById } from '#/features/images/queries.ts'
import { lookUp } from '#/features/projects/look-up.ts'

export const Route = createFileRoute('/_console/lookup/images/$image')({
  loader: ({ context, params }) =>
    lookUp(context, {
      id: params.image,
      view: imageById,
      link: (image, project = '') => imageLinkFrom(project, image),
    }),
})
