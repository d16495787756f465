import { createFileRoute } from '@tanstack/react-router'
import { diskLink } from '#/features/disks/links.ts'
import { diskById } from '#/features/disks/queries.ts'
import { lookUp } from '#/features/projects/look-up.ts'

export const Route = createFileRoute('/_console/lookup/disks/$disk')({
  loader: ({ context, params }) =>
    lookUp(context, {
      id: params.disk,
      view: diskById,
      link: ({ name }, project = '') => diskLink(project, name),
    }),
})
