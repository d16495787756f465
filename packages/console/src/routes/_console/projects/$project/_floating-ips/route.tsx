import { createFileRoute } from '@tanstack/react-router'
import MapPin from 'lucide-react/icons/map-pin'
import { useMemo } from 'react'
import { usePaletteItems } from '../../../../../features/common/palette-items.ts'
import { pollLater } from '../../../../../features/common/poll-while.ts'
import { useWhyNotInProject } from '../../../../../features/common/project-permission.ts'
import { ResourceList } from '../../../../../features/common/ResourceList.tsx'
import { pageSearch, useListPage } from '../../../../../features/common/use-list-page.ts'
import { floatingIpColumns } from '../../../../../features/networking/floating-ips/columns.tsx'
import { FloatingIpDocs } from '../../../../../features/networking/floating-ips/FloatingIpDocs.tsx'
import { floatingIpPaths, floatingIpsIn } from '../../../../../features/networking/floating-ips/queries.ts'
import { useHolders } from '../../../../../features/networking/floating-ips/use-holders.ts'
import { allIpPools } from '../../../../../features/networking/queries.ts'
import { useFloatingIpRowActions } from '../../../../../features/networking/floating-ips/use-floating-ip-row-actions.tsx'

export const Route = createFileRoute('/_console/projects/$project/_floating-ips')({
  validateSearch: pageSearch,
  loader: ({ context, params, location }) => {
    // Begun here, so that names are there with the rows or soon after.
    void context.queryClient.prefetchQuery(allIpPools)
    return context.prefetch(floatingIpsIn(params.project).at(pageSearch(location.search).page))
  },
  staticData: {
    crumb: ({ project = '' }) => ({ label: 'Floating IPs', path: floatingIpPaths.list(project) }),
  },
  component: FloatingIps,
})

function FloatingIps() {
  const { project } = Route.useParams()
  const list = useListPage(floatingIpsIn(project), { poll: pollLater })
  const holders = useHolders(project, list.rows ?? [])
  const { actions, dialog } = useFloatingIpRowActions(project, holders)
  const columns = useMemo(() => floatingIpColumns(project, holders), [project, holders])
  const whyNotAllowed = useWhyNotInProject(project)
  const createTo = floatingIpPaths.create(project)

  usePaletteItems([
    ...(whyNotAllowed ? [] : [{ label: 'New floating IP', to: createTo }]),
    ...(list.rows ?? []).map(({ name, ip }) => ({
      label: name,
      group: 'Go to floating IP',
      icon: MapPin,
      hint: ip,
      to: floatingIpPaths.edit(project, name),
    })),
  ])

  return (
    <ResourceList
      title="Floating IPs"
      docs={<FloatingIpDocs />}
      create={{ to: createTo, label: 'New Floating IP', whyNot: whyNotAllowed }}
      empty={{
        title: 'No floating IPs',
        text: 'Floating IPs outlive instances and can move between them. Create one to see it here.',
      }}
      list={list}
      columns={columns}
      actions={actions}
    >
      {dialog}
    </ResourceList>
  )
}
