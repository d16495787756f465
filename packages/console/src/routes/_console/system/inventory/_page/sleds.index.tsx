import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import Server from 'lucide-react/icons/server'
import { useListPalette } from '#/features/common/use-list-palette.ts'
import { sledLink } from '#/features/inventory/links.ts'
import { sledUses, uninitializedSleds } from '#/features/inventory/queries.ts'
import { SledTable } from '#/features/inventory/SledTable.tsx'
import { UninitializedSleds } from '#/features/inventory/UninitializedSleds.tsx'

export const Route = createFileRoute('/_console/system/inventory/_page/sleds/')({
  loader: ({ context }) => {
    context.begin(uninitializedSleds)
    return context.prefetch(sledUses)
  },
  staticData: { crumb: { label: 'Sleds', to: '/system/inventory/sleds' } },
  component: Sleds,
})

function Sleds() {
  const { data } = useSuspenseQuery(sledUses)
  useListPalette({
    kind: 'sled',
    icon: Server,
    rows: data.items,
    rowEntry: ({ sled }) => ({ label: sled.baseboard.serial, link: sledLink(sled.id) }),
  })
  return (
    <div className="space-y-5.5">
      <SledTable uses={data.items} />
      <UninitializedSleds />
    </div>
  )
}
