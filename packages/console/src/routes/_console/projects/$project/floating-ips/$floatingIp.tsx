import { createFileRoute } from '@tanstack/react-router'
import { Star } from '#/features/favourites/parts.tsx'
import { ActivityTab } from '#/features/activity/tab.ts'
import { activitySearch } from '#/features/activity/search.ts'
import { floatingIpLink } from '#/features/addresses/floating-ips/links.ts'
import { floatingIpView } from '#/features/addresses/floating-ips/queries.ts'
import {
  FloatingIpDocs,
  useFloatingIpRowActions,
} from '#/features/addresses/floating-ips/use-floating-ip-row-actions.tsx'
import { useHolders } from '#/features/addresses/holders.ts'
import type { FloatingIp } from '#/features/addresses/queries.ts'
import { instanceLink } from '#/features/instances/links.ts'
import { instanceById } from '#/features/instances/queries.ts'
import { IpPoolName } from '#/features/ip-pools/parts.tsx'
import { allIpPools } from '#/features/ip-pools/queries.ts'
import { ProtectedTag } from '#/features/protection/ProtectedTag.tsx'
import { ProtectionItem } from '#/features/protection/ProtectionItem.tsx'
import { TagsItem } from '#/features/tags/TagsItem.tsx'
import { usePolling } from '#/data/live.ts'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { ObjectById } from '#/kit/page/ObjectById.tsx'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { pollSlowly } from '#/kit/page/poll-while.ts'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'

export const Route = createFileRoute('/_console/projects/$project/floating-ips/$floatingIp')({
  validateSearch: activitySearch,
  loader: async ({ context, params: { project, floatingIp } }) => {
    context.begin(allIpPools)
    await context.prefetch(floatingIpView(project, floatingIp))
  },
  staticData: {
    crumb: [
      { label: 'Floating IPs', to: '/projects/$project/floating-ips' },
      { param: 'floatingIp', to: '/projects/$project/floating-ips/$floatingIp' },
    ],
  },
  component: FloatingIpPage,
})

/** All that a floating IP has is among its fields, so that its activity needs no second tab beside it. */
function FloatingIpPage() {
  const { project, floatingIp: name } = Route.useParams()
  const asked = Route.useSearch()
  const polling = usePolling(pollSlowly())
  const { data: floatingIp, onDelete } = useViewed(
    { ...floatingIpView(project, name), refetchInterval: polling },
    { to: '/projects/$project/floating-ips', params: { project } },
  )
  const holders = useHolders(project, [floatingIp])
  const { actions, dialog } = useFloatingIpRowActions(project, holders, onDelete)
  return (
    <ResourcePage
      title={floatingIp.name}
      docs={<FloatingIpDocs />}
      kind="Floating IP"
      state={
        <>
          <Star kind="floating-ip" id={floatingIp.id} name={floatingIp.name} />
          <ProtectedTag project={project} id={floatingIp.id} />
        </>
      }
      menu={() => actionMenu(actions(floatingIp))}
      plate={<Plate project={project} floatingIp={floatingIp} />}
    >
      {useHasExtensions() && (
        <div className="mt-4">
          <RouteTabs
            label="Floating IP"
            tabs={[{ id: 'activity', label: 'Activity', link: floatingIpLink(project, name) }]}
          >
            <ActivityTab scope={{ of: 'project', project, object: floatingIp.id }} search={asked} />
          </RouteTabs>
        </div>
      )}
      {dialog}
    </ResourcePage>
  )
}

function Plate({ project, floatingIp }: { project: string; floatingIp: FloatingIp }) {
  const { id, ip, ipPoolId, instanceId, description } = floatingIp
  return (
    <DataPlate summary={ip}>
      <DataItem label="IP Address">
        <CopyableId id={ip} max={39} />
      </DataItem>
      <DataItem label="Attached to">
        {instanceId ? (
          <ObjectById
            query={instanceById(instanceId)}
            linkOf={(instance) => instanceLink(project, instance.name, 'networking')}
          />
        ) : (
          'No instance'
        )}
      </DataItem>
      <DataItem label="IP Pool">
        <IpPoolName id={ipPoolId} />
      </DataItem>
      <DescriptionItem description={description} />
      <TimeItems of={floatingIp} changed="Last Modified" />
      <DataItem label="ID">
        <CopyableId id={id} max={24} />
      </DataItem>
      <ProtectionItem project={project} id={id} />
      <TagsItem kind="floating-ip" id={id} />
    </DataPlate>
  )
}
