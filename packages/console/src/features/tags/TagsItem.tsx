// @chunk plates: of pages of single objects, which lists do not need.
import type { TaggedKind } from '@gantry/api/tags/tag.rules'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { DataItem } from '#/ui/data/DataPlate.tsx'

const AllTags = lazyPart(() => import('./RowTags.tsx'), 'AllTags', <Skeleton />)

/** Among the properties of a page or a panel. Nothing on servers without tags. */
export function TagsItem(props: { kind: TaggedKind; id: string }) {
  if (!useHasExtensions()) return null
  return (
    <DataItem label="Tags" wide>
      <AllTags {...props} />
    </DataItem>
  )
}
