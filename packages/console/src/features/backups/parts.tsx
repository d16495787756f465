// @chunk backup-rows: of the backups of a project and of an instance, which few open.
import * as op from '@gantry/api/client/operations.gen'
import { instanceBackupAllows } from '@gantry/api/backups/instance-backup.rules'
import { whyNot } from '@gantry/api/base/state.rules'
import { consistencyWords } from '@gantry/api/storage/instance-snapshot.rules'
import { type ReactNode, useState } from 'react'
import { asFailure } from '#/data/failure.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { createdColumn, sizeColumn } from '#/kit/list/columns.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { StateWithReason } from '#/kit/list/StateWithReason.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import type { Column } from '#/ui/data/column.ts'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import { formatBytes, sentenceCase } from '#/ui/data/format.ts'
import { percentOf } from '#/ui/data/format-amounts.ts'
import { Progress } from '#/ui/data/Progress.tsx'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import { EmptyCell, Truncate } from '#/ui/data/Truncate.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { backupLink } from './links.ts'
import { type Backup, backupAt } from './queries.ts'

const RestoreBackup = lazyPart(() => import('./RestoreBackup.tsx'), 'RestoreBackup')

export const BackupDocs = () => (
  <DocsPopover topic="backups" page="backups">
    A backup holds all disks of an instance at one point in time, with its settings, outside of the storage
    that the instance uses. It can be restored after the instance or its project is gone. An operator adds the
    places where backups are written.
  </DocsPopover>
)

const families: Readonly<Record<Backup['state'], StateFamily>> = {
  creating: 'busy',
  ready: 'ok',
  verifying: 'busy',
  faulted: 'fail',
}

/** With the reason of a failure, and how far the work on it is. */
export function BackupState({
  state,
  failure,
  done,
  size,
}: Pick<Backup, 'state' | 'failure' | 'done' | 'size'>) {
  const plate = <StatePlate family={families[state]}>{sentenceCase(state)}</StatePlate>
  if (failure) return <StateWithReason failure={failure}>{plate}</StateWithReason>
  const percent = done === null ? undefined : percentOf(done, size)
  if (percent === undefined) return plate
  return (
    <span className="inline-flex items-center gap-2">
      {plate}
      <span className="block w-16">
        <Progress label={`${sentenceCase(state)}, part done`} percent={percent} />
      </span>
    </span>
  )
}

/** What lists show of a backup after its name. */
export const aboutColumns: readonly Column<Backup>[] = [
  {
    id: 'instance',
    header: 'Instance',
    part: 'line',
    cell: ({ instanceName }) => <Truncate text={instanceName} max={24} />,
  },
  { id: 'state', header: 'State', part: 'state', cell: (backup) => <BackupState {...backup} /> },
  {
    id: 'holds',
    header: 'Disks hold',
    part: 'line',
    cell: ({ consistency }) => (consistency ? consistencyWords[consistency] : <EmptyCell />),
  },
  sizeColumn<Backup>(),
  {
    id: 'stored',
    header: 'Stored',
    align: 'right',
    isLabelled: true,
    cell: ({ stored }) => (stored === null ? <EmptyCell /> : <Size bytes={stored} />),
  },
  {
    id: 'target',
    header: 'Target',
    part: 'meta',
    cell: ({ backupTargetName }) => <Truncate text={backupTargetName} max={24} />,
  },
  {
    id: 'verified',
    header: 'Last verified',
    part: 'meta',
    isOptional: true,
    isLabelled: true,
    cell: ({ timeVerified }) => (timeVerified ? <DateTime value={timeVerified} /> : <EmptyCell />),
  },
  createdColumn<Backup>(),
]

/** The columns of both lists. The details open over the list of the project only. */
export const backupColumns = (project: string, ofInstance?: 'of instance'): Column<Backup>[] => [
  taggedName<Backup>(
    'instance-backup',
    {
      id: 'name',
      header: 'Name',
      part: 'name',
      cell: ({ name }) => (
        <PageLink {...backupLink(project, name)} over={!ofInstance} className="name">
          {name}
        </PageLink>
      ),
    },
    project,
  ),
  ...(ofInstance ? aboutColumns.filter(({ id }) => id !== 'instance') : aboutColumns),
]

/** What is lost with a backup. */
const goneWords = ({ state, size, instanceName }: Backup): string =>
  state === 'creating'
    ? 'It is being created, and that is cancelled.'
    : `The state of ${instanceName} at that time, ${formatBytes(size)} of disks, can no longer be restored from it. Other backups stay whole.`

/**
 * The actions of a row and of the panel, which leaves after the deletion in `onDelete`. Render `dialog` on the page.
 */
export function useBackupActions(
  project: string,
  onDelete?: (is: Deletion) => void,
): { actions: ActionsOf<Backup>; dialog: ReactNode } {
  const whyNotAllowed = useWhyNotInProject(project)
  const verify = useOp(op.instanceBackupVerify)
  const remove = useOp(op.instanceBackupDelete)
  const [restored, setRestored] = useState<Backup>()
  const actions: ActionsOf<Backup> = (backup) => {
    const { id, name, state } = backup
    const whyNotNow = (action: keyof typeof instanceBackupAllows) =>
      whyNotAllowed ?? whyNot(instanceBackupAllows, action, state)
    return [
      { label: 'Restore', disabled: whyNotNow('restore'), onSelect: () => setRestored(backup) },
      {
        label: 'Verify',
        disabled: whyNotNow('verify'),
        onSelect: () =>
          void verify.run({ path: { instanceBackup: id }, query: {} }).then(
            () => toast.success(successMessage('backup', name, 'is being verified')),
            (error: unknown) =>
              toast.error({ title: 'Could not verify backup', text: failureText(asFailure(error)) }),
          ),
      },
      ...tagActions('instance-backup', { id, name }, whyNotAllowed, project),
      {
        label: 'Delete',
        disabled: whyNotNow('delete'),
        onSelect: () =>
          confirmDelete({
            kind: 'backup',
            name,
            gone: goneWords(backup),
            isPlanned: true,
            run: (send) => reportDeletion(() => remove.run(backupAt(project, name), send), onDelete),
          }),
      },
    ]
  }
  const dialog = restored && (
    <RestoreBackup project={project} backup={restored} onClose={() => setRestored(undefined)} />
  )
  return { actions, dialog }
}
