import { createFileRoute } from '@tanstack/react-router'
import { floatingIpLink } from '#/features/addresses/floating-ips/links.ts'
import { floatingIpById } from '#/features/addresses/floating-ips/queries.ts'
import { lookUp } from '#/features/projects/look-up.ts'

export const Route = createFileRoute('/_console/lookup/floating-ips/$floatingIp')({
  loader: ({ context, params }) =>
    lookUp(context, {
      id: params.floatingIp,
      view: floatingIpById,
      link: ({ name }, project = '') => floatingIpLink(project, name),
    }),
})
