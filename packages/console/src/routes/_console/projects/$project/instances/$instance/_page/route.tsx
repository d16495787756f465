import * as op from '@gantry/api/client/operations.gen'
import { isTransitioning } from '@gantry/api/compute/instance.rules'
import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { usePolling } from '#/data/live.ts'
import { invalidateOps } from '#/data/queries.ts'
import { Star } from '#/features/favourites/parts.tsx'
import { membershipReads } from '#/features/affinity/queries.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { RefreshData } from '#/kit/list/RefreshData.tsx'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'
import { type RowAction, rowMenu } from '#/kit/list/row-menu.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { FailureNote, InstancePlate } from '#/features/instances/page/InstancePlate.tsx'
import { instanceLink, metricsLink } from '#/features/instances/links.ts'
import { InstanceDocs } from '#/features/instances/parts.tsx'
import { viewPolling } from '#/features/instances/polling.ts'
import {
  type Instance,
  instanceExternalIps,
  instanceInterfaces,
  instanceReads,
  instanceView,
} from '#/features/instances/queries.ts'
import {
  besidesButtons,
  type InstanceActions,
  useInstanceActions,
} from '#/features/instances/use-instance-actions.tsx'
import { ProtectedTag } from '#/features/protection/ProtectedTag.tsx'
import { Button, buttonClass } from '#/ui/Button.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { ObjectActions } from '#/kit/page/ObjectActions.tsx'

const PendingChanges = lazyPart(
  () => import('#/features/instances/page/PendingChanges.tsx'),
  'PendingChanges',
)
const ObjectTask = lazyPart(() => import('#/features/tasks/ObjectTask.tsx'), 'ObjectTask')

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page')({
  loader: ({ context, params: { project, instance } }) =>
    context.prefetch(instanceExternalIps(project, instance), instanceInterfaces(project, instance)),
  component: InstanceLayout,
})

function InstanceLayout() {
  return (
    <InstancePage {...Route.useParams()}>
      <Outlet />
    </InstancePage>
  )
}

const tabsOf = (project: string, instance: string) =>
  [
    { id: 'storage', label: 'Storage', link: instanceLink(project, instance, 'storage') },
    { id: 'networking', label: 'Networking', link: instanceLink(project, instance, 'networking') },
    {
      id: 'snapshots',
      label: 'Snapshots',
      link: instanceLink(project, instance, 'snapshots'),
      isExtension: true,
    },
    {
      id: 'backups',
      label: 'Backups',
      link: instanceLink(project, instance, 'backups'),
      isExtension: true,
    },
    { id: 'metrics', label: 'Metrics', link: metricsLink(project, instance) },
    { id: 'connect', label: 'Connect', link: instanceLink(project, instance, 'connect') },
    {
      id: 'activity',
      label: 'Activity',
      link: instanceLink(project, instance, 'activity'),
      isExtension: true,
    },
    { id: 'settings', label: 'Settings', link: instanceLink(project, instance, 'settings') },
  ] as const

/** Includes queries that only a tab shows. */
const pageReads = [...instanceReads, op.floatingIpList, ...membershipReads]

interface Props {
  project: string
  instance: string
  children: ReactNode
}

/** The header above all tabs of an instance. */
function InstancePage({ project, instance: name, children }: Props) {
  const polls = usePolling(1) !== false
  const list = { to: '/projects/$project/instances', params: { project } } as const
  const { data, dataUpdatedAt, onDelete, onRename } = useViewed(
    { ...instanceView(project, name), refetchInterval: ({ state }) => polls && viewPolling(state.data) },
    list,
  )
  const { actionsOf, dialog } = useInstanceActions(project, { onDelete, onRename })

  return (
    <>
      <Head project={project} instance={data} actions={actionsOf(data)} updatedAt={dataUpdatedAt} />
      <FailureNote instance={data} />
      <InstancePlate project={project} instance={data} />
      {data.pending && <PendingChanges project={project} instance={data} />}
      <div className="mt-4">
        <RouteTabs label="Instance" tabs={tabsOf(project, name)}>
          {children}
        </RouteTabs>
      </div>
      {isTransitioning(data.runState) && <ObjectTask project={project} id={data.id} />}
      {dialog}
    </>
  )
}

interface HeadProps {
  project: string
  instance: Instance
  actions: InstanceActions
  updatedAt: number
}

function Head({ project, instance, actions, updatedAt }: HeadProps) {
  const queryClient = useQueryClient()
  const [isRefreshing, setRefreshing] = useState(false)
  const refresh = () => {
    setRefreshing(true)
    void invalidateOps(queryClient, pageReads).finally(() => setRefreshing(false))
  }
  return (
    <div className="mb-3.5 flex min-h-9 flex-wrap items-center gap-x-2 gap-y-2">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
        <h1 tabIndex={-1} className="text-xl tracking-[-0.005em] wrap-anywhere outline-none">
          {instance.name}
        </h1>
        <InstanceDocs />
        <Star kind="instance" id={instance.id} name={instance.name} />
        <ProtectedTag project={project} id={instance.id} />
      </div>
      <div className="ml-auto flex items-center gap-2">
        <RefreshData updatedAt={new Date(updatedAt)} isRefreshing={isRefreshing} onRefresh={refresh} />
        <ActionButton action={actions.start} />
        <ActionButton action={actions.stop} />
        <ConsoleButton action={actions.console} />
        <ObjectActions
          title={instance.name}
          label="Instance actions"
          entries={() => rowMenu(instance.id, 'Copy ID', besidesButtons(actions))}
        />
      </div>
    </div>
  )
}

function ActionButton({ action: { label, icon, disabled, onSelect } }: { action: RowAction }) {
  return (
    <Button disabledReason={disabled} onClick={onSelect}>
      <span className="-ml-0.5 [&>svg]:size-4">{icon}</span>
      {label}
    </Button>
  )
}

function ConsoleButton({ action: { icon, link, disabled } }: { action: RowAction }) {
  const content = (
    <>
      <span className="md:-ml-0.5 [&>svg]:size-4">{icon}</span>
      {/* A phone has room for the glyph only. */}
      <span className="max-md:sr-only">Console</span>
    </>
  )
  if (disabled || !link) return <Button disabledReason={disabled}>{content}</Button>
  return (
    <PageLink {...link} className={buttonClass()}>
      {content}
    </PageLink>
  )
}
