import { createFileRoute, Outlet } from '@tanstack/react-router'
import { familyLink } from '#/features/affinity/links.ts'
import { AffinityDocs } from '#/features/affinity/parts.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'

export const Route = createFileRoute('/_console/projects/$project/_affinity')({
  staticData: { crumb: { label: 'Affinity Groups', to: '/projects/$project/affinity' } },
  component: AffinityGroups,
})

function AffinityGroups() {
  const { project } = Route.useParams()
  return (
    <ListPage title="Affinity Groups" docs={<AffinityDocs />}>
      <RouteTabs
        label="Affinity groups"
        tabs={[
          { id: 'anti-affinity', label: 'Anti-affinity', link: familyLink('anti-affinity', project) },
          { id: 'affinity', label: 'Affinity', link: familyLink('affinity', project) },
        ]}
      >
        <Outlet />
      </RouteTabs>
    </ListPage>
  )
}
