import { createFileRoute, notFound } from '@tanstack/react-router'
import Radar from 'lucide-react/icons/radar'
import { currentUser } from '#/data/current-user.ts'
import { DocsPopover } from '#/features/common/DocsPopover.tsx'
import { loadList } from '#/features/common/load-list.ts'
import { ResourceList } from '#/features/common/ResourceList.tsx'
import { pageSearch, useListPage } from '#/features/common/use-list-page.ts'
import { probeColumns } from '#/features/probes/columns.tsx'
import { probesIn } from '#/features/probes/queries.ts'
import { useProbeRowActions } from '#/features/probes/use-probe-row-actions.ts'
import { useWhyNotProbes } from '#/features/probes/use-why-not-probes.ts'

export const Route = createFileRoute('/_console/projects/$project/_probes')({
  // For users without a role on the fleet there are no probes, whatever their role in the project.
  beforeLoad: async ({ context }) => {
    await context.prefetch(currentUser)
    if (!context.queryClient.getQueryData(currentUser.queryKey)?.fleetViewer) throw notFound()
  },
  validateSearch: pageSearch,
  loader: ({ params: { project }, ...visit }) => loadList(visit, probesIn(project)),
  staticData: { crumb: { label: 'Probes', to: '/projects/$project/probes' } },
  component: Probes,
})

function Probes() {
  const { project } = Route.useParams()
  return (
    <ResourceList
      kind="probe"
      icon={Radar}
      title="Probes"
      docs={
        <DocsPopover topic="probes">
          A probe is a diagnostic endpoint on a sled of your choice. It has an address in the project's
          default subnet and one outside, so that an operator can test both from that sled. It uses no quota.
        </DocsPopover>
      }
      list={useListPage(probesIn(project))}
      columns={probeColumns}
      actions={useProbeRowActions(project)}
      create={{
        link: { to: '/projects/$project/probes-new', params: { project } },
        whyNot: useWhyNotProbes(project),
      }}
      empty={{
        title: 'No probes',
        text: 'Create a probe to test the network of this project from a sled.',
      }}
    />
  )
}
