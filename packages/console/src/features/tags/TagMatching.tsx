import { bulkActionLimits } from '@gantry/api/compute/instance-action.rules'
import type { TaggedKind } from '@gantry/api/tags/tag.rules'
import type { ListPlace } from '#/kit/list/found-list.ts'
import { Button } from '#/ui/Button.tsx'
import { formatNumber } from '#/ui/data/format.ts'
import { openTagging } from './tag-actions.tsx'

interface Props {
  kind: TaggedKind
  place: ListPlace
  filter: string
  /** How many match; undefined until that is known. */
  count: number | undefined
  whyNotAllowed: string | undefined
  onSaved: () => void
}

const most = bulkActionLimits.instances

/** Edits the tags of all that match a filter. */
export const TagMatching = ({ kind, place, filter, count, whyNotAllowed, onSaved }: Props) => (
  <Button
    disabledReason={
      whyNotAllowed ??
      (count !== undefined && count > most
        ? `At most ${formatNumber(most)} at once. Narrow the filter first.`
        : undefined)
    }
    disabled={count === undefined}
    onClick={() =>
      openTagging.set({
        kind,
        objects: [],
        matching: { filter, count: count ?? 0, place },
        project: place.project,
        onSaved,
      })
    }
  >
    Edit tags
  </Button>
)
