// @chunk tags: read once a list or page is shown.
import { tagText } from '@gantry/api/tags/tag-text.rules'
import type { TaggedKind } from '@gantry/api/tags/tag.rules'
import { useQuery } from '@tanstack/react-query'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { Overflow } from '#/ui/data/Tag.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { keysIn, rowTags, type Tag } from './queries.ts'
import { TagLabel } from './TagLabel.tsx'

interface Props {
  kind: TaggedKind
  id: string
}

const none: Tag[] = []

function useTags({ kind, id }: Props, isAsked: boolean): Tag[] {
  const isServed = useHasExtensions()
  const { data = none } = useQuery({ ...rowTags(kind, id), enabled: isServed && isAsked })
  return data
}

/** More would make a row of a list too wide. */
const inRow = 2

/** The tags of a row; nothing without any. */
export function RowTags({ project, ...object }: Props & { project?: string | undefined }) {
  // Where no object has any, rows that come and go ask for none.
  const { data } = useQuery({ ...keysIn(object.kind, project), enabled: useHasExtensions() })
  const tags = useTags(object, data !== undefined && data.items.length > 0)
  return tags.length === 0 ? null : <Shown tags={tags} />
}

/** All tags of an object, among its properties. */
export function AllTags(props: Props) {
  const tags = useTags(props, true)
  if (tags.length === 0) return <EmptyCell />
  return tags.map((tag) => <TagLabel key={tag.key} tag={tag} />)
}

function Shown({ tags }: { tags: readonly Tag[] }) {
  const rest = tags.slice(inRow)
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-1 align-middle">
      {tags.slice(0, inRow).map((tag) => (
        <TagLabel key={tag.key} tag={tag} />
      ))}
      {rest.length > 0 && <Overflow caption="More tags" texts={rest.map(tagText)} />}
    </span>
  )
}
