import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/features/common/fleet-permission.ts'
import { ResourceTab } from '#/features/common/ResourceTab.tsx'
import { setColumns, useSetActions } from '#/features/rack-network/bgp/announce-sets.tsx'
import { announceSets } from '#/features/rack-network/bgp/queries.ts'
import { useWholeList } from '#/features/rack-network/use-whole-list.ts'

export const Route = createFileRoute('/_console/system/networking/_rack/_announce-sets')({
  loader: ({ context }) => context.prefetch(announceSets),
  staticData: { crumb: { label: 'Announce sets', to: '/system/networking/announce-sets' } },
  component: AnnounceSets,
})

function AnnounceSets() {
  return (
    <ResourceTab
      kind="announce set"
      label="Announce sets"
      about="The networks that the rack announces to its BGP peers."
      list={useWholeList(announceSets)}
      columns={setColumns}
      actions={useSetActions()}
      create={{
        link: { to: '/system/networking/announce-sets-new' },
        label: 'New announce set',
        whyNot: useWhyNotOnFleet(),
      }}
      empty={{ title: 'No announce sets', text: 'Create an announce set to see it here' }}
    />
  )
}
