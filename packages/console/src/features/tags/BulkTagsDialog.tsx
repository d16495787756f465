// @chunk tag-forms: of the dialogs that edit tags, which open on demand.
import * as op from '@gantry/api/client/operations.gen'
import type { OutputOf } from '@gantry/api/client/client'
import { isReserved, type TaggedKind } from '@gantry/api/tags/tag.rules'
import { useQuery } from '@tanstack/react-query'
import { useOp } from '#/data/use-op.ts'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { useFormField } from '#/kit/forms/fields.tsx'
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

/** Sets tags of all selected objects, and removes others, by one request that does all of it or nothing. */
export function BulkTagsDialog({ kind, objects, project, onDone, onClose }: Props) {
  const edit = useOp(op.tagsEdit)
  const { data } = useQuery(
    tagsOfAll(
      kind,
      objects.map(({ id }) => id),
    ),
  )
  const count = formatCount(objects.length, kindWord(kind))
  return (
    <DialogForm<Values, OutputOf<'tagsEdit'>>
      title={`Edit tags of ${count}`}
      width="medium"
      pendingLabel="Saving"
      reviewable
      initial={{ tags: [{ key: '', value: '' }], remove: [] }}
      whyNotYet={({ tags, remove }) =>
        filledIn(tags).length + remove.length > 0 ? undefined : 'Enter a tag, or select one to remove'
      }
      check={({ tags, remove }) => {
        const both = tags.find(({ key }) => remove.includes(key))
        return both ? { tags: `The key "${both.key}" is both set and removed` } : {}
      }}
      save={({ tags, remove }, send) => {
        const edits = objects.map(({ id }) => ({ kind, id, set: filledIn(tags), remove }))
        return edit.run({ body: { edits } }, send)
      }}
      saved={() => `Tags of ${count} saved`}
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

/** How many of the objects have each key. */
function countsOf(all: readonly (readonly Tag[])[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { key } of all.flat()) if (!isReserved(key)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return new Map([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function RemovedKeys({ name, counts, of }: { name: string; counts: Map<string, number>; of: number }) {
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
            <span className="text-muted">
              {formatNumber(count)} of {formatNumber(of)}
            </span>
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}
