import type { TaggedKind } from '@gantry/api/tags/tag.rules'
import Pencil from 'lucide-react/icons/pencil'
import { live } from '#/data/live.ts'
import type { ListPlace } from '#/kit/list/found-list.ts'
import type { RowAction } from '#/kit/list/row-menu.tsx'
import { createStore } from '#/store.ts'

interface Named {
  id: string
  name: string
}

/** Objects whose tags a dialog edits, over whatever page they are on. */
export interface Tagging {
  kind: TaggedKind
  objects: readonly Named[]
  /** In place of the objects: all that match a filter, of which this many were seen. */
  matching?: { filter: string; count: number; place: ListPlace }
  /** Where they are, unless they are objects of a silo or of the fleet. */
  project: string | undefined
  onSaved?: () => void
}

export const openTagging = createStore<Tagging | undefined>(undefined)

/** The entry that edits an object's tags; none on servers without tags. `whyNot` is why the user may not. */
export const tagActions = (
  kind: TaggedKind,
  { id, name }: Named,
  whyNot: string | undefined,
  project?: string,
): RowAction[] =>
  live.state.get() === 'absent'
    ? []
    : [
        {
          label: 'Edit tags',
          icon: <Pencil aria-hidden strokeWidth={1.75} />,
          disabled: whyNot,
          onSelect: () => openTagging.set({ kind, objects: [{ id, name }], project }),
        },
      ]
