import { useQuery } from '@tanstack/react-query'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useId, useState } from 'react'
import { kindWord } from '#/kit/page/stored-values.ts'
import { classes } from '#/ui/classes.ts'
import { formatBytes, sentenceCase } from '#/ui/data/format.ts'
import { formatCount } from '#/ui/data/format-amounts.ts'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { type RecycledItem, shownOfDeletion, takenBy } from './queries.ts'
import { nameOfWhole } from './words.ts'

interface Props {
  item: RecycledItem
  project: string | undefined
}

/** What one deletion took, as one name that opens to all of it. */
export function Together({ item, project }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { deletion } = item
  if (!deletion) return null
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        className="-ml-1 inline-flex items-center gap-1 rounded-tag px-1 text-left font-medium wrap-anywhere text-strong hover:underline coarse:min-h-11"
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight
          aria-hidden
          strokeWidth={1.75}
          className={classes(
            'size-4 shrink-0 transition-transform duration-(--time-quick)',
            isOpen && 'rotate-90',
          )}
        />
        {nameOfWhole(item)}
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Members deletionId={deletion.id} count={deletion.items} project={project} />}
      </div>
    </>
  )
}

function Members({
  deletionId,
  count,
  project,
}: {
  deletionId: string
  count: number
  project: string | undefined
}) {
  const { data } = useQuery(takenBy(deletionId, project))
  if (!data) return <Skeleton className="mt-1 h-16 w-full" />
  const rest = count - data.items.length
  return (
    <ul
      aria-label="Deleted together"
      className="mt-1 mb-2 max-h-72 space-y-0.5 overflow-y-auto overscroll-contain pl-4 text-sm"
    >
      {data.items.map(({ id, kind, name, storage }) => (
        <li key={id} className="wrap-anywhere">
          <span className="text-muted">{sentenceCase(kindWord(kind))} </span>
          {name}
          {storage > 0 && <span className="text-muted">{`, ${formatBytes(storage)}`}</span>}
        </li>
      ))}
      {rest > 0 && data.items.length >= shownOfDeletion && (
        <li className="text-muted">{`and ${formatCount(rest, 'more object')}`}</li>
      )}
    </ul>
  )
}
