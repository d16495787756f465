import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { asFailure } from '#/data/failure.ts'
import { formatCount } from '#/ui/data/format-amounts.ts'
import { toast } from '#/ui/overlays/toast.ts'
import { editTargetLink } from './links.ts'
import { type Target, targetAt } from './queries.ts'

export const BackupTargetDocs = () => (
  <DocsPopover topic="backup targets" page="backups#targets">
    A backup target is a place outside of the rack’s own storage, where backups of instances are written: a
    folder of the server, or an S3 bucket. All that is written there is encrypted by a key of the target,
    which is shown once.
  </DocsPopover>
)

/** `Folder shelf`, `Bucket backups at https://s3.example.com`. */
export const placeText = ({ store }: Pick<Target, 'store'>): string =>
  store.type === 'folder'
    ? `Folder ${store.folder}`
    : `Bucket ${store.bucket}${store.prefix === '' ? '' : `/${store.prefix}`} at ${store.endpoint}`

/** Writes, reads and deletes a small object there, and says in words whether that works. */
export function useTargetTest(): (target: string) => Promise<void> {
  const test = useOp(op.backupTargetTest)
  return async (target) => {
    const title = `Backup target ${target} does not work`
    try {
      const { works, problem } = await test.run(targetAt(target))
      if (works)
        toast.success(`Backup target ${target} works: a small object was written, read and deleted there`)
      else toast.error({ title, text: problem ?? '' })
    } catch (error) {
      toast.error({ title: `Could not test backup target ${target}`, text: failureText(asFailure(error)) })
    }
  }
}

const goneWords = (backups: number): string =>
  backups === 0
    ? 'What it holds stays there.'
    : `Its ${formatCount(backups, 'backup')} can no longer be restored from here: projects no longer list ${backups === 1 ? 'it' : 'them'}. What it holds stays there, and can be adopted again by whoever has its key.`

/** The menu of a row, and of the target's own page, which leaves after the deletion in `onDelete`. */
export function useTargetActions(onDelete?: (is: Deletion) => void): ActionsOf<Target> {
  const whyNotAllowed = useWhyNotOnFleet()
  const test = useTargetTest()
  const update = useOp(op.backupTargetUpdate)
  const remove = useOp(op.backupTargetDelete)
  return ({ name, isDefault, backups }) => [
    { label: 'Test', disabled: whyNotAllowed, onSelect: () => void test(name) },
    {
      label: 'Make default',
      disabled: whyNotAllowed ?? (isDefault ? 'New backups are written there already' : undefined),
      onSelect: () =>
        void update.run({ ...targetAt(name), body: { isDefault: true } }).then(
          () => toast.success(successMessage('backup target', name, 'is the default')),
          (error: unknown) =>
            toast.error({
              title: 'Could not change the default target',
              text: failureText(asFailure(error)),
            }),
        ),
    },
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      link: editTargetLink(name),
      // From the target's page, the form opens over that page instead of the list.
      over: onDelete !== undefined,
    },
    {
      label: 'Delete',
      disabled: whyNotAllowed,
      onSelect: () =>
        confirmDelete({
          kind: 'backup target',
          name,
          gone: goneWords(backups),
          isPlanned: true,
          run: (send) => reportDeletion(() => remove.run(targetAt(name), send), onDelete),
        }),
    },
  ]
}
