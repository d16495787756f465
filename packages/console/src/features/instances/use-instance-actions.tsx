import * as op from '@gantry/api/client/operations.gen'
import Camera from 'lucide-react/icons/camera'
import CopyPlus from 'lucide-react/icons/copy-plus'
import Download from 'lucide-react/icons/download'
import LayoutTemplate from 'lucide-react/icons/layout-template'
import Monitor from 'lucide-react/icons/monitor'
import Pencil from 'lucide-react/icons/pencil'
import Power from 'lucide-react/icons/power'
import Play from 'lucide-react/icons/play'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Scaling from 'lucide-react/icons/scaling'
import Square from 'lucide-react/icons/square'
import SquareTerminal from 'lucide-react/icons/square-terminal'
import { type ReactNode, useState } from 'react'
import { useWhyLacking } from '#/data/fleet.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction, confirmRecycling } from '#/kit/feedback/confirm.tsx'
import { useDeletion } from '#/kit/feedback/use-deletion.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import type { RowAction } from '#/kit/list/row-menu.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { type Deletion, type Renaming, reportDeletion } from '#/kit/page/use-viewed.ts'
import { useProtections } from '#/features/protection/use-protections.tsx'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { instanceLink } from './links.ts'
import { type Instance, instanceAt } from './queries.ts'
import { isLater } from './pending.ts'
import { whyNotInstance } from './reasons.ts'

const EditInstance = lazyPart(() => import('./EditInstance.tsx'), 'EditInstance')
const ExportDialog = lazyPart(() => import('./snapshots/ExportDialog.tsx'), 'ExportDialog')
const TakeDialog = lazyPart(() => import('./snapshots/TakeDialog.tsx'), 'TakeDialog')
const ResizeDialog = lazyPart(() => import('./ResizeDialog.tsx'), 'ResizeDialog')

interface Options {
  /** Adds a link to the instance to success messages, for pages other than its own. */
  linksToInstance?: boolean
  /** Runs when a deletion is sent and when it is done: the instance's page must then leave. */
  onDelete?: (is: Deletion) => void
  /** Of the instance's page, whose address has its name. */
  onRename?: (is: Renaming) => void
}

export interface InstanceActions {
  start: RowAction
  stop: RowAction
  /** Absent from servers that cannot. */
  forceOff?: RowAction | undefined
  reboot: RowAction
  /** Absent from servers that cannot. */
  edit?: RowAction | undefined
  resize: RowAction
  console: RowAction
  /** Absent from servers that cannot. */
  screen?: RowAction | undefined
  /** Absent from servers that cannot. */
  snapshot?: RowAction | undefined
  /** Absent from servers that cannot. */
  export?: RowAction | undefined
  clone: RowAction
  /** Absent from servers that cannot. */
  template?: RowAction | undefined
  /** None on servers that cannot. */
  tag: readonly RowAction[]
  /** None on servers that cannot. */
  protect: readonly RowAction[]
  delete: RowAction
}

/** All actions for an instance. Render `dialog` on the page. */
export function useInstanceActions(project: string, { linksToInstance, onDelete, onRename }: Options = {}) {
  const whyNotAllowed = useWhyNotInProject(project)
  const whyNoScreen = useWhyLacking('screens')
  const [editing, setEditing] = useState<Instance>()
  const [resizing, setResizing] = useState<Instance>()
  const [taking, setTaking] = useState<Instance>()
  const [exporting, setExporting] = useState<Instance>()
  const start = useOp(op.instanceStart)
  const stop = useOp(op.instanceStop)
  const forceOff = useOp(op.instanceForceOff)
  const hasExtensions = useHasExtensions()
  const reboot = useOp(op.instanceReboot)
  const remove = useDeletion(op.instanceDelete, 'instance')
  const protections = useProtections('instance', project)

  const linkTo = (name: string): ReactNode => (
    <PageLink {...instanceLink(project, name)} className="link">
      View instance
    </PageLink>
  )

  const actionsOf = (instance: Instance): InstanceActions => {
    const { id, name, runState } = instance
    const strong = <strong>{name}</strong>
    const whyNot = (action: Parameters<typeof whyNotInstance>[0]) =>
      whyNotAllowed ?? whyNotInstance(action, runState)
    return {
      start: {
        label: 'Start',
        icon: <Play aria-hidden strokeWidth={1.75} />,
        disabled: whyNot('start'),
        onSelect: () =>
          confirmAction({
            title: 'Confirm start instance',
            content: <p>Are you sure you want to start {strong}?</p>,
            pendingLabel: 'Starting',
            errorTitle: `Error starting ${name}`,
            errorAction: linksToInstance && linkTo(name),
            success: <>Starting instance {strong}</>,
            isTask: true,
            run: () => start.run(instanceAt(project, name)),
          }),
      },
      stop: {
        label: 'Stop',
        icon: <Square aria-hidden strokeWidth={1.75} />,
        disabled: whyNot('stop') ?? protections.whyNot(id, 'stop'),
        onSelect: () =>
          confirmAction({
            title: 'Confirm stop instance',
            content: (
              <>
                <p>Are you sure you want to stop {strong}?</p>
                <p>Disks and IPs stay attached. CPU and memory become free for other instances.</p>
              </>
            ),
            kind: 'danger',
            pendingLabel: 'Stopping',
            errorTitle: `Error stopping ${name}`,
            success: <>Stopping instance {strong}</>,
            isTask: true,
            run: () => stop.run(instanceAt(project, name)),
          }),
      },
      forceOff: hasExtensions
        ? {
            label: 'Force off',
            icon: <Power aria-hidden strokeWidth={1.75} />,
            disabled: whyNot('forceOff') ?? protections.whyNot(id, 'stop'),
            onSelect: () =>
              confirmAction({
                title: 'Confirm force off instance',
                content: (
                  <>
                    <p>Are you sure you want to cut the power of {strong}?</p>
                    <p>Its guest does not shut down, so data that it has not written yet is lost.</p>
                  </>
                ),
                kind: 'danger',
                pendingLabel: 'Forcing off',
                errorTitle: `Error forcing off ${name}`,
                success: <>Forcing off instance {strong}</>,
                isTask: true,
                run: () => forceOff.run(instanceAt(project, name)),
              }),
          }
        : undefined,
      reboot: {
        label: 'Reboot',
        icon: <RotateCw aria-hidden strokeWidth={1.75} />,
        disabled: whyNot('reboot'),
        onSelect: () =>
          confirmAction({
            title: 'Confirm reboot instance',
            content: <p>Are you sure you want to reboot {strong}? Running workloads are interrupted.</p>,
            kind: 'danger',
            pendingLabel: 'Rebooting',
            errorTitle: `Error rebooting ${name}`,
            success: <>Rebooting instance {strong}</>,
            isTask: true,
            run: () => reboot.run(instanceAt(project, name)),
          }),
      },
      edit: hasExtensions
        ? {
            label: 'Edit',
            icon: <Pencil aria-hidden strokeWidth={1.75} />,
            disabled: whyNotAllowed,
            onSelect: () => setEditing(instance),
          }
        : undefined,
      resize: {
        label: 'Resize',
        icon: <Scaling aria-hidden strokeWidth={1.75} />,
        disabled: hasExtensions && isLater(instance) ? whyNotAllowed : whyNot('resize'),
        onSelect: () => setResizing(instance),
      },
      console: {
        label: 'View serial console',
        icon: <SquareTerminal aria-hidden strokeWidth={1.75} />,
        // The page connects as soon as the instance runs.
        disabled: whyNotAllowed,
        link: instanceLink(project, name, 'serial-console'),
      },
      screen: hasExtensions
        ? {
            label: 'View screen',
            icon: <Monitor aria-hidden strokeWidth={1.75} />,
            disabled: whyNoScreen ?? whyNotAllowed,
            link: instanceLink(project, name, 'screen'),
          }
        : undefined,
      snapshot: hasExtensions
        ? {
            label: 'Take snapshot',
            icon: <Camera aria-hidden strokeWidth={1.75} />,
            disabled: whyNotAllowed,
            onSelect: () => setTaking(instance),
          }
        : undefined,
      export: hasExtensions
        ? {
            label: 'Export',
            icon: <Download aria-hidden strokeWidth={1.75} />,
            disabled: whyNotAllowed,
            onSelect: () => setExporting(instance),
          }
        : undefined,
      clone: {
        label: 'Clone',
        icon: <CopyPlus aria-hidden strokeWidth={1.75} />,
        disabled: whyNotAllowed,
        link: { to: '/projects/$project/instances-new', params: { project }, search: { from: name } },
      },
      template: hasExtensions
        ? {
            label: 'Save as template',
            icon: <LayoutTemplate aria-hidden strokeWidth={1.75} />,
            disabled: whyNotAllowed,
            link: {
              to: '/projects/$project/instances-new',
              params: { project },
              search: { from: name, for: 'template' },
            },
          }
        : undefined,
      tag: tagActions('instance', instance, whyNotAllowed, project),
      protect: protections.actionsFor(instance, whyNotAllowed),
      delete: {
        label: 'Delete',
        // First, because it stays so when the instance is stopped.
        disabled: whyNotAllowed ?? protections.whyNot(id, 'delete') ?? whyNot('delete'),
        onSelect: () =>
          confirmRecycling({
            kind: 'instance',
            name,
            gone: 'Its network interfaces and its address are gone for good, and so is what it had in memory.',
            extra: 'Attached disks are detached, not deleted. They stay in the project.',
            success: <>Deleting instance {strong}</>,
            run: (isForGood, send) =>
              reportDeletion(() => remove(instance, instanceAt(project, name), isForGood, send), onDelete),
          }),
      },
    }
  }

  const dialog: ReactNode = (
    <>
      {editing && (
        <EditInstance
          project={project}
          instance={editing}
          onRename={onRename}
          onClose={() => setEditing(undefined)}
        />
      )}
      {resizing && (
        <ResizeDialog
          project={project}
          instance={resizing}
          onClose={() => setResizing(undefined)}
          toastLink={linksToInstance && linkTo(resizing.name)}
        />
      )}
      {taking && <TakeDialog project={project} instance={taking} onClose={() => setTaking(undefined)} />}
      {exporting && (
        <ExportDialog project={project} instance={exporting} onClose={() => setExporting(undefined)} />
      )}
      {protections.dialog}
    </>
  )
  return { actionsOf, dialog }
}

/** In lifecycle order. */
export const menuOf = (actions: InstanceActions): RowAction[] => [
  actions.start,
  actions.stop,
  ...besidesButtons(actions),
]

/** For the page of an instance, where starting and stopping are buttons. */
export const besidesButtons = (actions: InstanceActions): RowAction[] => [
  ...(actions.forceOff ? [actions.forceOff] : []),
  actions.reboot,
  ...(actions.edit ? [actions.edit] : []),
  actions.resize,
  actions.console,
  ...(actions.screen ? [actions.screen] : []),
  ...(actions.snapshot ? [actions.snapshot] : []),
  ...(actions.export ? [actions.export] : []),
  actions.clone,
  ...(actions.template ? [actions.template] : []),
  ...actions.tag,
  ...actions.protect,
  actions.delete,
]
