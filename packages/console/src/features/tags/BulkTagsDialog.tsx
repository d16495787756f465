// @chunk tag-forms: of the dialogs that edit tags, which open on demand.
import * as op from '@gantry/api/client/operations.gen'
import type { InputOf, OutputOf } from '@gantry/api/client/client'
import { bulkActionLimits } from '@gantry/api/compute/instance-action.rules'
import { isReserved, type TaggedKind, tagLimits } from '@gantry/api/tags/tag.rules'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { opQuery } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { useFormField } from '#/kit/forms/fields.tsx'
import type { ListPlace } from '#/kit/list/found-list.ts'
import { SelectedNames } from '#/kit/list/SelectBoxes.tsx'
import { kindWord } from '#/kit/page/stored-values.ts'
import { formatCount } from '#/ui/data/format-amounts.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { type Tag, tagsOfAll } from './queries.ts'
import { filledIn, TagFields } from './TagFields.tsx'

interface Props {
  kind: TaggedKind
  objects: readonly { id: string; name: string }[]
  project: string | undefined
  onDone: () => void
  onClose: () => void
}

interface Values {
  tags: Tag[]
  remove: string[]
}

const empty: Values = { tags: [{ key: '', value: '' }], remove: [] }
const whyNotYet = ({ tags, remove }: Values): string | undefined =>
  filledIn(tags).length + remove.length > 0 ? undefined : 'Enter a tag, or select one to remove'
const check = ({ tags, remove }: Values): Partial<Record<keyof Values, string>> => {
  const both = tags.find(({ key }) => remove.includes(key))
  return both ? { tags: `The key "${both.key}" is both set and removed` } : {}
}

const many = bulkActionLimits.instances

/** Sets tags of all selected objects, and removes others: those of a few in one change, those of many as one task. */
export function BulkTagsDialog(props: Props) {
  const { kind, objects } = props
  const counted = formatCount(objects.length, kindWord(kind))
  return objects.length > tagLimits.edits ? (
    <TaskDialog
      {...props}
      count={objects.length}
      title={`Edit tags of ${counted}`}
      whyNot={
        objects.length > many ? `At most ${formatNumber(many)} at once. Select fewer of them.` : undefined
      }
      chosen={{ objects: objects.map(({ id }) => id) }}
    >
      Each of <SelectedNames names={objects.map(({ name }) => name)} />
    </TaskDialog>
  ) : (
    <OneChangeDialog {...props} counted={counted} />
  )
}

/** One request that does all of it or nothing. */
function OneChangeDialog({ kind, objects, project, counted, onDone, onClose }: Props & { counted: string }) {
  const edit = useOp(op.tagsEdit)
  const { data } = useQuery(
    tagsOfAll(
      kind,
      objects.map(({ id }) => id),
    ),
  )
  return (
    <DialogForm<Values, OutputOf<'tagsEdit'>>
      title={`Edit tags of ${counted}`}
      width="medium"
      pendingLabel="Saving"
      reviewable
      initial={empty}
      whyNotYet={whyNotYet}
      check={check}
      save={({ tags, remove }, send) => {
        const edits = objects.map(({ id }) => ({ kind, id, set: filledIn(tags), remove }))
        return edit.run({ body: { edits } }, send)
      }}
      saved={() => `Tags of ${counted} saved`}
      onSaved={onDone}
      onClose={onClose}
    >
      <p>
        Each of <SelectedNames names={objects.map(({ name }) => name)} /> gets these tags and keeps its
        others.
      </p>
      <TagFields name="tags" kind={kind} project={project} />
      <RemovedKeys
        name="remove"
        counts={countsOf(data?.items.map(({ tags }) => tags) ?? [])}
        of={objects.length}
      />
    </DialogForm>
  )
}

interface MatchingProps extends Omit<Props, 'objects'> {
  filter: string
  count: number
  place: ListPlace
}

/** Sets and removes tags of all that match a filter. */
export function MatchingTagsDialog({ filter, ...props }: MatchingProps) {
  const { kind, count } = props
  const counted = formatCount(count, kindWord(kind))
  return (
    <TaskDialog {...props} title={`Edit tags of all ${counted}`} chosen={{ filter, atMost: count }}>
      Each of <strong>all {counted}</strong>{' '}
      {filter === '' ? (
        'of this list'
      ) : (
        <>
          that match <code className="font-mono">{filter}</code>
        </>
      )}
    </TaskDialog>
  )
}

type Body = InputOf<'bulkTaggingCreate'>['body']

interface TaskProps extends Omit<Props, 'objects'> {
  title: string
  count: number
  place?: ListPlace
  chosen: Pick<Body, 'objects' | 'filter' | 'atMost'>
  whyNot?: string | undefined
  /** Which they are, as the subject of a sentence. */
  children: ReactNode
}

/** One task with a result for each object. */
function TaskDialog(props: TaskProps) {
  const { title, kind, count, project, chosen, whyNot, children, onDone, onClose } = props
  const { place = { ...(project !== undefined && { project }) } } = props
  const edit = useOp(op.bulkTaggingCreate)
  const { data: known } = useQuery(
    opQuery(op.tagKeyList, { query: { kind, ...(project !== undefined && { project }) } }),
  )
  const keys = known?.items.filter(({ text }) => !isReserved(text)) ?? []
  return (
    <DialogForm<Values, OutputOf<'bulkTaggingCreate'>>
      title={title}
      width="medium"
      pendingLabel="Saving"
      disabled={whyNot}
      initial={empty}
      whyNotYet={whyNotYet}
      check={check}
      save={({ tags, remove }, send) => {
        const body = { kind: kind as Body['kind'], ...chosen, set: filledIn(tags), remove }
        return edit.run({ query: place, body }, send)
      }}
      saved={() => `Editing tags of ${formatCount(count, kindWord(kind))}`}
      onSaved={onDone}
      onClose={onClose}
    >
      <p>{children} gets these tags and keeps its others. The task tells of those that cannot be edited.</p>
      <TagFields name="tags" kind={kind} project={project} />
      <RemovedKeys name="remove" counts={new Map(keys.map(({ text }) => [text, undefined]))} of={count} />
    </DialogForm>
  )
}

/** How many of the objects have each key. */
function countsOf(all: readonly (readonly Tag[])[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { key } of all.flat()) if (!isReserved(key)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return new Map([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function RemovedKeys({
  name,
  counts,
  of,
}: {
  name: string
  /** Keys, with how many objects have each where that is known. */
  counts: ReadonlyMap<string, number | undefined>
  of: number
}) {
  const { value: removed, onChange } = useFormField<string[]>(name)
  if (counts.size === 0) return null
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-strong">Remove</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {[...counts].map(([key, count]) => (
          <Checkbox
            key={key}
            checked={removed.includes(key)}
            onChange={(event) =>
              onChange(event.target.checked ? [...removed, key] : removed.filter((one) => one !== key))
            }
          >
            {key}{' '}
            {count !== undefined && (
              <span className="text-muted">
                {formatNumber(count)} of {formatNumber(of)}
              </span>
            )}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}
