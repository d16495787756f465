import { createFileRoute } from '@tanstack/react-router'
import { instanceLink } from '#/features/instances/links.ts'
import { instanceById } from '#/features/instances/queries.ts'
import { lookUp } from '#/features/projects/look-up.ts'

export const Route = createFileRoute('/_console/lookup/instances/$instance')({
  loader: ({ context, params }) =>
    lookUp(context, {
      id: params.instance,
      view: instanceById,
      link: ({ name }, project = '') => instanceLink(project, name),
    }),
})
