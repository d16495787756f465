import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { sledUses } from '#/features/inventory/queries.ts'
import { RackPicture } from '#/features/inventory/rack/RackPicture.tsx'

export const Route = createFileRoute('/_console/system/inventory/_page/racks')({
  loader: ({ context }) => context.prefetch(sledUses),
  staticData: { crumb: { label: 'Rack', to: '/system/inventory/racks' } },
  component: Racks,
})

function Racks() {
  const { data } = useSuspenseQuery(sledUses)
  return <RackPicture uses={data.items} />
}
