import { createFileRoute } from '@tanstack/react-router'
import { lookUp } from '#/features/instances/look-up.ts'

export const Route = createFileRoute('/_console/lookup/instances/$instance')({
  loader: ({ context, params: { instance } }) => lookUp(context, instance),
})
