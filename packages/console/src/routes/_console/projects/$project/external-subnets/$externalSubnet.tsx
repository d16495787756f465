import { createFileRoute } from '@tanstack/react-router'
import { usePolling } from '#/data/live.ts'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { pollSlowly } from '#/kit/page/poll-while.ts'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { activitySearch } from '#/features/activity/search.ts'
import { ActivityTab } from '#/features/activity/tab.ts'
import { externalSubnetLink } from '#/features/addresses/external-subnets/links.ts'
import { HolderName, SubnetPoolName } from '#/features/addresses/external-subnets/parts.tsx'
import { allSubnetPools, externalSubnetView } from '#/features/addresses/external-subnets/queries.ts'
import {
  ExternalSubnetDocs,
  useExternalSubnetRowActions,
} from '#/features/addresses/external-subnets/use-external-subnet-row-actions.tsx'
import { useHolders } from '#/features/addresses/holders.ts'
import { Star } from '#/features/favourites/parts.tsx'
import { ProtectedTag } from '#/features/protection/ProtectedTag.tsx'
import { ProtectionItem } from '#/features/protection/ProtectionItem.tsx'
import { TagsItem } from '#/features/tags/TagsItem.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'

export const Route = createFileRoute('/_console/projects/$project/external-subnets/$externalSubnet')({
  validateSearch: activitySearch,
  loader: async ({ context, params: { project, externalSubnet } }) => {
    context.begin(allSubnetPools)
    await context.prefetch(externalSubnetView(project, externalSubnet))
  },
  staticData: {
    crumb: [
      { label: 'External Subnets', to: '/projects/$project/external-subnets' },
      { param: 'externalSubnet', to: '/projects/$project/external-subnets/$externalSubnet' },
    ],
  },
  component: ExternalSubnetPage,
})

/** All that it has is among its fields, so that its activity needs no second tab beside it. */
function ExternalSubnetPage() {
  const { project, externalSubnet: name } = Route.useParams()
  const asked = Route.useSearch()
  const polling = usePolling(pollSlowly())
  const { data, onDelete } = useViewed(
    { ...externalSubnetView(project, name), refetchInterval: polling },
    { to: '/projects/$project/external-subnets', params: { project } },
  )
  const holders = useHolders(project, [data])
  const { actions, dialog } = useExternalSubnetRowActions(project, holders, onDelete)
  const plate = (
    <DataPlate summary={data.subnet}>
      <DataItem label="Block">
        <CopyableId id={data.subnet} max={43} />
      </DataItem>
      <DataItem label="Attached to">
        <HolderName project={project} holders={holders} of={data} />
      </DataItem>
      <DataItem label="Subnet pool">
        <SubnetPoolName id={data.subnetPoolId} />
      </DataItem>
      <DescriptionItem description={data.description} />
      <TimeItems of={data} changed="Last Modified" />
      <DataItem label="ID">
        <CopyableId id={data.id} max={24} />
      </DataItem>
      <ProtectionItem project={project} id={data.id} />
      <TagsItem kind="external-subnet" id={data.id} />
    </DataPlate>
  )
  return (
    <ResourcePage
      title={data.name}
      docs={<ExternalSubnetDocs />}
      kind="External subnet"
      state={
        <>
          <Star kind="external-subnet" id={data.id} name={data.name} />
          <ProtectedTag project={project} id={data.id} />
        </>
      }
      menu={() => actionMenu(actions(data))}
      plate={plate}
    >
      {useHasExtensions() && (
        <div className="mt-4">
          <RouteTabs
            label="External subnet"
            tabs={[{ id: 'activity', label: 'Activity', link: externalSubnetLink(project, name) }]}
          >
            <ActivityTab scope={{ of: 'project', project, object: data.id }} search={asked} />
          </RouteTabs>
        </div>
      )}
      {dialog}
    </ResourcePage>
  )
}
