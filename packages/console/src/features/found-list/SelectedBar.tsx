import * as op from '@gantry/api/client/operations.gen'
import { bulkActionLimits } from '@gantry/api/compute/instance-action.rules'
import type { BulkDeletedKind } from '@gantry/api/filter/list-kinds.rules'
import { deletableOf, heldOf } from '@gantry/api/history/bulk-deletion.rules'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { call, type Send } from '#/data/client.ts'
import { type ListName, type ListQuery, opQuery, readAfter } from '#/data/queries.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { filterOf } from '#/kit/list/filter/filter-of.ts'
import { useTotals } from '#/kit/list/filter/Totals.tsx'
import type { ListPlace } from '#/kit/list/found-list.ts'
import { SelectedNames, SelectionBar } from '#/kit/list/SelectBoxes.tsx'
import type { Selection } from '#/kit/list/selection.ts'
import { useFind } from '#/kit/list/use-find.ts'
import { useDetails } from './details.tsx'
import { useProtectionsById } from '#/features/protection/use-protections.tsx'
import { whyProtected } from '#/features/protection/words.ts'
import { openTagging } from '#/features/tags/tag-actions.tsx'
import { TagMatching } from '#/features/tags/TagMatching.tsx'
import { Button } from '#/ui/Button.tsx'
import { formatNumber } from '#/ui/data/format.ts'

/** What can be done with many objects of a kind. */
export interface Bulk<Item> {
  kind: BulkDeletedKind
  /** As in `floating IP`. */
  noun: string
  /** Why the user may change none of them. */
  whyNotAllowed: string | undefined
  /** Why this one cannot be deleted in its state. */
  whyNotDelete?: (row: Item) => string | undefined
  /** What is lost with what does not go into the recycle bin, in whole sentences. */
  gone: string
  /** What is true in either case. */
  besides?: string
  /** What they can be a part of, with which alone they are deleted, as in `instance snapshot`. */
  whole?: { noun: string; of: (row: Item) => string | null | undefined }
}

interface Props<Item> extends Bulk<Item> {
  pluralNoun: string
  place: ListPlace
  list: ListQuery<ListName>
  selection: Selection
  rows: readonly Item[]
}

/** The request for a single one, which is asked what it would do; what goes before a VPC has requests of its own. */
const requests: Record<BulkDeletedKind, ((id: string, send: Send) => Promise<unknown>) | undefined> = {
  disk: (disk, send) => send(op.diskDelete, { path: { disk } }),
  snapshot: (snapshot, send) => send(op.snapshotDelete, { path: { snapshot } }),
  'instance-snapshot': (instanceSnapshot, send) =>
    send(op.instanceSnapshotDelete, { path: { instanceSnapshot } }),
  'instance-backup': (instanceBackup, send) => send(op.instanceBackupDelete, { path: { instanceBackup } }),
  image: (image, send) => send(op.imageDelete, { path: { image } }),
  'floating-ip': (floatingIp, send) => send(op.floatingIpDelete, { path: { floatingIp } }),
  'external-subnet': (externalSubnet, send) => send(op.externalSubnetDelete, { path: { externalSubnet } }),
  vpc: undefined,
}

/** Actions on the selected rows, in place of the filter. */
export function SelectedBar<Item extends { id: string; name: string }>(props: Props<Item>) {
  const { kind, pluralNoun, place, list, selection, rows, whyNotAllowed } = props
  const { search } = useFind()
  const filter = filterOf(search)
  const totals = useTotals({ kind, place, filter }, list)
  const isEverything = useSyncExternalStore(selection.subscribe, selection.isEverything)
  const ids = useSyncExternalStore(selection.subscribe, selection.ids)
  const selected = rows.filter(({ id }) => ids.includes(id))
  return (
    <SelectionBar label={`Selected ${pluralNoun}`} selection={selection} matching={totals?.count}>
      {isEverything ? (
        <>
          <DeleteMatching {...props} filter={filter} all={totals?.count} />
          <TagMatching
            kind={kind}
            place={place}
            filter={filter}
            count={totals?.count}
            whyNotAllowed={whyNotAllowed}
            onSaved={selection.clear}
          />
        </>
      ) : (
        <>
          <DeleteSelected {...props} selected={selected} />
          <Button
            disabledReason={whyNotAllowed}
            onClick={() =>
              openTagging.set({ kind, objects: selected, project: place.project, onSaved: selection.clear })
            }
          >
            Edit tags
          </Button>
        </>
      )}
    </SelectionBar>
  )
}

type Named = { id: string; name: string }

/** Sends one request for all, which becomes a task. */
function useDeleteMany<Item>({ kind, noun, pluralNoun, place, gone, besides, selection }: Props<Item>) {
  const queryClient = useQueryClient()
  return (
    count: number,
    about: Pick<Parameters<typeof confirmAction>[0], 'content' | 'parts'>,
    body: { objects: string[] } | { filter: string; atMost: number },
  ): void => {
    const objects = `${formatNumber(count)} ${count === 1 ? noun : pluralNoun}`
    confirmAction({
      ...about,
      content: (
        <>
          {about.content}
          {besides && <p>{besides}</p>}
        </>
      ),
      title: `Confirm delete ${objects}`,
      kind: 'danger',
      gone,
      isSeveral: count > 1,
      isTask: true,
      pendingLabel: 'Deleting',
      errorTitle: `Could not delete ${objects}`,
      success: `Deleting ${objects}`,
      run: async (forGood) => {
        await call(op.bulkDeletionCreate, { query: place, body: { kind, forGood, ...body } })
        await readAfter(queryClient, op.bulkDeletionCreate)
        selection.clear()
      },
    })
  }
}

function DeleteSelected<Item extends Named>(props: Props<Item> & { selected: readonly Item[] }) {
  const { kind, place, selected, whyNotAllowed, whyNotDelete, whole } = props
  const protections = useProtectionsById(place.project)
  const ask = useDeleteMany(props)
  const whyNot = (row: Item) =>
    whyProtected(protections.get(row.id), 'delete') ??
    (whole?.of(row) ? `Deleted with the ${whole.noun} that it belongs to` : undefined) ??
    whyNotDelete?.(row)
  const eligible = selected.filter((row) => whyNot(row) === undefined)
  const skipped = selected.length - eligible.length
  const request = requests[kind]
  const content = (
    <>
      <p>
        Delete <SelectedNames names={eligible.map(({ name }) => name)} />?
      </p>
      {skipped > 0 && <p>{skippedWords(skipped)}</p>}
      {whole && <HeldSelected kind={kind} noun={whole.noun} rows={selected.filter(whole.of)} />}
    </>
  )
  return (
    <Button
      disabledReason={whyNotAllowed ?? (eligible.length > 0 ? undefined : selected.map(whyNot).find(Boolean))}
      onClick={() =>
        ask(
          eligible.length,
          {
            content,
            ...(request && {
              parts: eligible.map(({ id, name }) => ({ name, run: (send: Send) => request(id, send) })),
            }),
          },
          { objects: eligible.map(({ id }) => id) },
        )
      }
    >
      {labelOf(eligible.length, selected.length)}
    </Button>
  )
}

function DeleteMatching<Item>(props: Props<Item> & { filter: string; all: number | undefined }) {
  const { kind, noun, pluralNoun, place, filter, all, whyNotAllowed, whole } = props
  const ask = useDeleteMany(props)
  const { data } = useQuery(
    opQuery(op.listTotals, { query: { kind, ...place, filter: deletableOf(kind, filter) } }),
  )
  const count = data?.count ?? 0
  const most = bulkActionLimits.instances
  const content = (
    <>
      <p>
        Delete{' '}
        <strong>
          all {formatNumber(count)} {count === 1 ? noun : pluralNoun}
        </strong>{' '}
        {filter === '' ? (
          'of this list'
        ) : (
          <>
            that match <code className="font-mono">{filter}</code>
          </>
        )}{' '}
        and can be deleted now?
      </p>
      {all !== undefined && all > count && <p>{skippedWords(all - count)}</p>}
      {whole && <HeldMatching kind={kind} noun={whole.noun} place={place} filter={filter} />}
    </>
  )
  return (
    <Button
      disabledReason={
        whyNotAllowed ??
        (data && count === 0
          ? `None of the ${pluralNoun} that match can be deleted`
          : count > most
            ? `At most ${formatNumber(most)} at once. Narrow the filter first.`
            : undefined)
      }
      disabled={!data}
      onClick={() => ask(count, { content }, { filter, atMost: count })}
    >
      {labelOf(count, all ?? count)}
    </Button>
  )
}

interface HeldProps {
  kind: BulkDeletedKind
  /** What they are a part of. */
  noun: string
}

/** Which of the selected rows are deleted with another object only, and with which. */
function HeldSelected({ kind, noun, rows }: HeldProps & { rows: readonly { id: string }[] }) {
  const details = useDetails(kind, rows)
  if (rows.length === 0 || typeof details !== 'object') return null
  const names = new Set(rows.flatMap(({ id }) => details.get(id)?.instanceSnapshot?.name ?? []))
  return <HeldBy count={rows.length} noun={noun} names={[...names]} />
}

/** The same of all that match. */
function HeldMatching({ kind, noun, place, filter }: HeldProps & { place: ListPlace; filter: string }) {
  const held = heldOf(kind, filter)
  const query = { kind, ...place, filter: held?.filter ?? '' }
  const isAsked = held !== undefined
  const { data: totals } = useQuery({ ...opQuery(op.listTotals, { query }), enabled: isAsked })
  const values = { query: { ...query, field: held?.field ?? '' } }
  const { data: wholes } = useQuery({ ...opQuery(op.listValues, values), enabled: isAsked })
  if (!totals || totals.count === 0 || !wholes) return null
  return <HeldBy count={totals.count} noun={noun} names={wholes.items.map(({ value }) => value)} />
}

function HeldBy({ count, noun, names }: { count: number; noun: string; names: readonly string[] }) {
  return (
    <p>
      {count === 1 ? '1 of them is' : `${formatNumber(count)} of them are`} deleted only with {noun}
      {names.length > 1 && 's'} <SelectedNames names={names} />.
    </p>
  )
}

const labelOf = (count: number, all: number): string =>
  count === 0 || count === all ? 'Delete' : `Delete ${formatNumber(count)} of ${formatNumber(all)}`

const skippedWords = (count: number): string =>
  count === 1
    ? "The other one can't be deleted now and will be skipped."
    : `The other ${formatNumber(count)} can't be deleted now and will be skipped.`
