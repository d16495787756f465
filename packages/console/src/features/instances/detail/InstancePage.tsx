import * as op from '@gantry/api/client/operations.gen'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import Copy from 'lucide-react/icons/copy'
import Trash2 from 'lucide-react/icons/trash-2'
import { type ReactNode, useState } from 'react'
import { usePolling } from '../../../data/live.ts'
import { invalidateOps } from '../../../data/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { copyText } from '../../../ui/copy-text.ts'
import type { MenuEntry, MenuLinkProps } from '../../../ui/Menu.tsx'
import { MoreActions } from '../../../ui/RowMenu.tsx'
import { membershipReads } from '../../affinity/queries.ts'
import { PathLink } from '../../common/PathLink.tsx'
import { RefreshData } from '../../common/RefreshData.tsx'
import type { RowAction } from '../../common/ResourceTable.tsx'
import { RouteTabs } from '../../common/RouteTabs.tsx'
import { InstanceDocs } from '../InstanceDocs.tsx'
import { InstanceState } from '../InstanceState.tsx'
import { viewPolling } from '../polling.ts'
import { type Instance, instancePaths, instanceReads, instanceView } from '../queries.ts'
import { type InstanceActions, useInstanceActions } from '../use-instance-actions.tsx'
import { FailureNote } from './FailureNote.tsx'
import { InstancePlate } from './InstancePlate.tsx'

/** The tabs that exist, and the last part of their paths. */
const tabs = [
  { id: 'storage', label: 'Storage' },
  { id: 'networking', label: 'Networking' },
  { id: 'connect', label: 'Connect' },
  { id: 'settings', label: 'Settings' },
] as const

/** Also what only a tab shows. */
const pageReads = [...instanceReads, op.floatingIpList, ...membershipReads]

interface Props {
  project: string
  instance: string
  children: ReactNode
}

/** What all tabs of an instance have above them. */
export function InstancePage({ project, instance: name, children }: Props) {
  const view = instanceView(project, name)
  const navigate = useNavigate()
  const [isGoing, setGoing] = useState(false)
  const polls = usePolling(1) !== false
  const { data, error, dataUpdatedAt } = useSuspenseQuery({
    ...view,
    refetchInterval: ({ state }) => polls && viewPolling(state.data),
  })
  const { actionsOf, dialog } = useInstanceActions(project, {
    onDelete: (is) => {
      setGoing(is !== 'refused')
      if (is === 'done') void navigate({ to: instancePaths.list(project) } as Parameters<typeof navigate>[0])
    },
  })
  // Deleted by somebody else: there is nothing left to look at.
  if (error?.statusCode === 404 && !isGoing) throw error

  return (
    <>
      <Head instance={data} actions={actionsOf(data)} updatedAt={dataUpdatedAt} />
      <FailureNote instance={data} />
      <InstancePlate project={project} instance={data} />
      <RouteTabs label="Instance" base={instancePaths.view(project, name)} tabs={tabs}>
        {children}
      </RouteTabs>
      {dialog}
    </>
  )
}

interface HeadProps {
  instance: Instance
  actions: InstanceActions
  updatedAt: number
}

function Head({ instance, actions, updatedAt }: HeadProps) {
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
        <InstanceState instance={instance} />
        <InstanceDocs />
      </div>
      <div className="ml-auto flex items-center gap-2">
        <RefreshData updatedAt={new Date(updatedAt)} isRefreshing={isRefreshing} onRefresh={refresh} />
        <ActionButton action={actions.start} />
        <ActionButton action={actions.stop} />
        <MoreActions label="Instance actions" entries={() => menuEntries(instance, actions)} />
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

function menuEntries({ id }: Instance, actions: InstanceActions): MenuEntry[] {
  return [
    { label: 'Copy ID', icon: <Copy aria-hidden strokeWidth={1.75} />, onSelect: () => void copyText(id) },
    'rule',
    actions.reboot,
    actions.resize,
    linkEntry(actions.console),
    linkEntry(actions.clone),
    'rule',
    { ...actions.delete, icon: <Trash2 aria-hidden strokeWidth={1.75} />, danger: true },
  ]
}

const linkEntry = ({ to = '', search, ...entry }: RowAction): MenuEntry => ({
  ...entry,
  link: (props: MenuLinkProps) => <PathLink to={to} search={search} {...props} />,
})
