import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import Trash2 from 'lucide-react/icons/trash-2'
import Undo2 from 'lucide-react/icons/undo-2'
import { useMemo, useState } from 'react'
import { useOp } from '#/data/use-op.ts'
import { confirmAction, confirmDelete } from '#/kit/feedback/confirm.tsx'
import { keptFor } from '#/kit/feedback/BinNote.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { useListPage } from '#/kit/list/use-list-page.ts'
import { kindWord } from '#/kit/page/stored-values.ts'
import { Button } from '#/ui/Button.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { formatCount } from '#/ui/data/format-amounts.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Named } from './Named.tsx'
import { KeptFor } from './KeptFor.tsx'
import { Restore } from './Restore.tsx'
import { Together } from './Together.tsx'
import { binUse, type RecycledItem, recycledIn } from './queries.ts'
import { TimeLeft } from './TimeLeft.tsx'
import { nameOfWhole, withIt } from './words.ts'

const BinGauges = lazyPart(() => import('./BinGauges.tsx'), 'BinGauges')

interface Props {
  /** Without one, the bin of the silo. */
  project?: string
  /** The deleted object that the URL names, which is looked at before it is restored. */
  object: string | undefined
  /** Why the user may not restore or delete most of its items. */
  whyNot: string | undefined
  /** Why the user may not do so with all of them: projects and networks need a stronger role. */
  whyNotAll: string | undefined
}

const needMore: ReadonlySet<string> = new Set(['project', 'vpc', 'vpc-subnet'])
const whyNotOn = (
  { kind, deletion }: RecycledItem,
  { whyNot, whyNotAll }: Pick<Props, 'whyNot' | 'whyNotAll'>,
) => (needMore.has(kind) || needMore.has(deletion?.kind ?? kind) ? whyNotAll : whyNot)

/** What was deleted in a project or in the silo, and can be restored. */
export function RecycleBinPage({ project, object, whyNot, whyNotAll }: Props) {
  const list = useListPage(recycledIn(project))
  const { data: use } = useQuery(binUse(project))
  const [restoring, setRestoring] = useState<RecycledItem>()
  const remove = useOp(op.recycledItemDelete)
  const empty = useOp(op.recycleBinEmpty)
  const where = project ?? 'the silo'
  const columns = useMemo(
    () => columnsWith(project, { whyNot, whyNotAll }, setRestoring),
    [project, whyNot, whyNotAll],
  )
  const isEmpty = use?.items === 0
  return (
    <ListPage
      title="Recycle bin"
      docs={
        <DocsPopover topic="the recycle bin" page="history#the-recycle-bin">
          Deleted objects stay here for a time and can be restored with what belonged to them. Their names and
          addresses are free meanwhile. What is created takes the room that it needs from the bin, the oldest
          first.
        </DocsPopover>
      }
      actions={
        <>
          {project === undefined && use && <KeptFor hours={use.hours} />}
          <Button
            disabledReason={whyNotAll ?? (isEmpty ? 'It is empty.' : undefined)}
            onClick={() =>
              confirmAction({
                title: 'Empty recycle bin',
                content: (
                  <p>
                    {`Delete everything in the recycle bin of ${where} for good? ${use ? formatCount(use.items, 'object') : 'What is in it'} cannot be restored then.`}
                  </p>
                ),
                kind: 'danger',
                confirmLabel: 'Empty recycle bin',
                pendingLabel: 'Emptying',
                errorTitle: 'Could not empty the recycle bin',
                success: 'Recycle bin emptied',
                run: () => empty.run({ query: project === undefined ? {} : { project } }),
              })
            }
          >
            <Trash2 aria-hidden strokeWidth={1.75} className="-ml-0.5 size-4" />
            Empty recycle bin
          </Button>
        </>
      }
    >
      {use && (
        <p className="mb-3 text-sm text-muted">
          {use.hours === 0
            ? `The silo keeps nothing: what is deleted in ${where} is gone for good at once.`
            : `What is deleted in ${where} stays here for ${keptFor(use.hours)}, as the silo has set. It counts towards the quota until then.`}
        </p>
      )}
      {use && <BinGauges use={use} isOfSilo={project === undefined} />}
      <ResourceTable
        label="Recycle bin"
        list={list}
        columns={columns}
        isRecord
        actions={(item) => [
          {
            label: 'Restore',
            icon: <Undo2 aria-hidden strokeWidth={1.75} />,
            disabled: whyNotOn(item, { whyNot, whyNotAll }),
            onSelect: () => setRestoring(item),
          },
          {
            label: 'Delete',
            disabled: whyNotOn(item, { whyNot, whyNotAll }),
            onSelect: () =>
              confirmDelete({
                kind: kindWord(item.deletion?.kind ?? item.kind),
                name: nameOfWhole(item),
                gone: item.deletion
                  ? 'All of it is gone for good then, and cannot be restored.'
                  : 'It is gone for good then, and cannot be restored.',
                run: () =>
                  remove.run({
                    path: { itemId: item.id },
                    query: { whole: item.deletion !== null },
                  }),
              }),
          },
        ]}
        empty={
          <EmptyState title="The recycle bin is empty">
            {project === undefined
              ? 'Deleted projects and images of the silo appear here.'
              : 'What is deleted in this project appears here.'}
          </EmptyState>
        }
      />
      {restoring && <Restore item={restoring} isWhole onClose={() => setRestoring(undefined)} />}
      {object !== undefined && <Named object={object} project={project} />}
    </ListPage>
  )
}

const columnsWith = (
  project: string | undefined,
  reasons: Pick<Props, 'whyNot' | 'whyNotAll'>,
  restore: (item: RecycledItem) => void,
): Column<RecycledItem>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: (item) =>
      item.deletion ? (
        <Together item={item} project={project} />
      ) : (
        <span className="font-medium wrap-anywhere text-strong">{item.name}</span>
      ),
  },
  {
    id: 'kind',
    header: 'Kind',
    part: 'state',
    cell: ({ kind, objectId, deletion }) =>
      deletion && deletion.objectId !== objectId ? 'Deletion' : sentenceCase(kindWord(kind)),
  },
  {
    id: 'with',
    header: 'With it',
    part: 'meta',
    cell: (item) => withIt(item) || <EmptyCell />,
  },
  {
    id: 'size',
    header: 'Size',
    align: 'right',
    part: 'figure',
    cell: ({ storage, deletion }) => {
      const bytes = deletion?.storage ?? storage
      return bytes > 0 ? <Size bytes={bytes} /> : <EmptyCell />
    },
  },
  {
    id: 'deleted',
    header: 'Deleted',
    part: 'meta',
    cell: ({ timeDeleted, deletedBy }) => (
      <>
        <DateTime value={timeDeleted} />
        {deletedBy && <span className="text-sm text-muted">{` by ${deletedBy.name}`}</span>}
      </>
    ),
  },
  {
    id: 'left',
    header: 'Gone for good in',
    part: 'meta',
    isLabelled: true,
    cell: ({ timeExpires }) => <TimeLeft until={timeExpires} />,
  },
  {
    id: 'restore',
    header: <span className="sr-only">Restore</span>,
    align: 'right',
    part: 'line',
    cell: (item) => (
      <Button
        disabledReason={whyNotOn(item, reasons)}
        aria-label={`Restore ${item.deletion ? kindWord(item.deletion.kind) : kindWord(item.kind)} ${item.deletion?.name ?? item.name}`}
        onClick={() => restore(item)}
      >
        <Undo2 aria-hidden strokeWidth={1.75} className="-ml-0.5 size-4" />
        Restore
      </Button>
    ),
  },
]
