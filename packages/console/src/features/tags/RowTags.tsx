// @chunk tags: read once a list or page is shown.
import { type TaggedKind, tagText } from '@gantry/api/tags/tag.rules'
import { useQuery } from '@tanstack/react-query'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { Overflow } from '#/ui/data/Tag.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { rowTags, type Tag } from './queries.ts'
import { TagLabel } from './TagLabel.tsx'

interface Props {
  kind: TaggedKind
  id: string
}

const useTags = ({ kind, id }: Props): Tag[] => {
  const isServed = useHasExtensions()
  const { data = [] } = useQuery({ ...rowTags(kind, id), enabled: isServed })
  return data
}

/** More would make a row of a list too wide. */
const inRow = 2

/** The tags of a row; nothing without any. */
export function RowTags(props: Props) {
  const tags = useTags(props)
  return tags.length === 0 ? null : <Shown tags={tags} />
}

/** All tags of an object, among its properties. */
export function AllTags(props: Props) {
  const tags = useTags(props)
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
