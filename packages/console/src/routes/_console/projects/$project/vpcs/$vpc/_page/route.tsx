import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePolling } from '#/data/live.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { Star } from '#/features/favourites/parts.tsx'
import { vpcLink } from '#/features/vpcs/links.ts'
import { type Vpc, vpcNetwork, vpcView } from '#/features/vpcs/queries.ts'
import { ProtectedTag } from '#/features/protection/ProtectedTag.tsx'
import { TagsItem } from '#/features/tags/TagsItem.tsx'
import { useVpcRowActions, VpcDocs } from '#/features/vpcs/parts.tsx'
import { CopyableId, CopyButton } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page')({
  // Its item can add a row to the properties, and would push the tabs down if it came later.
  loader: ({ context, params: { project, vpc } }) => context.tryPrefetch(vpcNetwork(project, vpc)),
  component: VpcLayout,
})

const networkPollMs = 10_000

function VpcLayout() {
  return (
    <VpcPage {...Route.useParams()}>
      <Outlet />
    </VpcPage>
  )
}

const tabsOf = (project: string, vpc: string) =>
  [
    { id: 'firewall-rules', label: 'Firewall Rules', link: vpcLink(project, vpc, 'firewall-rules') },
    { id: 'subnets', label: 'Subnets', link: vpcLink(project, vpc, 'subnets') },
    { id: 'routers', label: 'Routers', link: vpcLink(project, vpc, 'routers') },
    { id: 'internet-gateways', label: 'Internet Gateways', link: vpcLink(project, vpc, 'internet-gateways') },
    { id: 'map', label: 'Map', link: vpcLink(project, vpc, 'map') },
    { id: 'activity', label: 'Activity', link: vpcLink(project, vpc, 'activity'), isExtension: true },
  ] as const

interface Props {
  project: string
  vpc: string
  children: ReactNode
}

/** The header above all tabs of a VPC. */
function VpcPage({ project, vpc: name, children }: Props) {
  const list = { to: '/projects/$project/vpcs', params: { project } } as const
  const { data: vpc, onDelete } = useViewed(vpcView(project, name), list)
  const { actions, dialog } = useVpcRowActions(project, onDelete)
  return (
    <ResourcePage
      title={vpc.name}
      docs={<VpcDocs />}
      kind="VPC"
      state={
        <>
          <Star kind="vpc" id={vpc.id} name={vpc.name} />
          <ProtectedTag project={project} id={vpc.id} />
        </>
      }
      menu={() => actionMenu(actions(vpc))}
      plate={<Plate project={project} vpc={vpc} />}
    >
      <div className="mt-4">
        <RouteTabs label="VPC" tabs={tabsOf(project, name)}>
          {children}
        </RouteTabs>
      </div>
      {dialog}
    </ResourcePage>
  )
}

function Plate({ project, vpc }: { project: string; vpc: Vpc }) {
  const { name, description, dnsName, ipv6Prefix, id } = vpc
  return (
    <DataPlate summary={description || dnsName}>
      <DescriptionItem description={description} />
      <DataItem label="DNS Name">
        <Copyable text={dnsName} />
      </DataItem>
      <DataItem label="IPv6 Prefix">
        <Copyable text={ipv6Prefix} />
      </DataItem>
      <DataItem label="ID">
        <CopyableId id={id} max={24} />
      </DataItem>
      <TimeItems of={vpc} changed="Last Modified" />
      <NetworkItem project={project} vpc={name} />
      <TagsItem kind="vpc" id={id} />
    </DataPlate>
  )
}

/** Absent where no packets are carried: in a simulated rack, and in a VPC without running instances. */
function NetworkItem({ project, vpc }: { project: string; vpc: string }) {
  const polling = usePolling(networkPollMs)
  const { data } = useQuery({ ...vpcNetwork(project, vpc), refetchInterval: polling })
  if (!data?.network) return null
  const { state, since, problem } = data.network
  return (
    <DataItem label="Network" wide={problem !== null}>
      {state === 'applied' ? (
        'Applied'
      ) : (
        <span>
          Pending since <DateTime value={since} />
        </span>
      )}
      {problem && <p>{failureText({ message: problem.message, help: problem.nextStep })}</p>}
    </DataItem>
  )
}

function Copyable({ text }: { text: string }) {
  return (
    <>
      <span className="font-mono text-[0.8125rem]">{text}</span>
      <CopyButton text={text} />
    </>
  )
}
