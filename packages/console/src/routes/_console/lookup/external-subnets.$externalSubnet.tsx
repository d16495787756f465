import { createFileRoute } from '@tanstack/react-router'
import { externalSubnetLink } from '#/features/addresses/external-subnets/links.ts'
import { externalSubnetById } from '#/features/addresses/external-subnets/queries.ts'
import { lookUp } from '#/features/projects/look-up.ts'

export const Route = createFileRoute('/_console/lookup/external-subnets/$externalSubnet')({
  loader: ({ context, params }) =>
    lookUp(context, {
      id: params.externalSubnet,
      view: externalSubnetById,
      link: ({ name }, project = '') => externalSubnetLink(project, name),
    }),
})
