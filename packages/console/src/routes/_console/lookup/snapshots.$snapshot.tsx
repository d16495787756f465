import { createFileRoute } from '@tanstack/react-router'
import { snapshotLink } from '#/features/snapshots/links.ts'
import { snapshotById } from '#/features/snapshots/queries.ts'
import { lookUp } from '#/features/projects/look-up.ts'

export const Route = createFileRoute('/_console/lookup/snapshots/$snapshot')({
  loader: ({ context, params }) =>
    lookUp(context, {
      id: params.snapshot,
      view: snapshotById,
      link: ({ name }, project = '') => snapshotLink(project, name),
    }),
})
