// @chunk difference-words: of accounts, plans and earlier states, which no list or form needs at once.
import type { ShownDifference } from './difference-words.ts'

interface Props {
  differences: readonly ShownDifference[]
  /** Nothing has changed yet. */
  isPlan?: boolean
}

/** From what to what, behind an edge. */
export function DifferenceList({ differences, isPlan }: Props) {
  return (
    <dl
      className={`mt-1 grid grid-cols-[minmax(0,1fr)] gap-x-4 rounded-r-control border-l-3 border-control-line bg-sunken px-3 py-[0.4375rem] text-sm leading-5 sm:grid-cols-[max-content_minmax(0,1fr)] ${isPlan ? 'border-dashed' : ''}`}
    >
      {differences.map(({ label, before, after }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two objects can have the same field, and an entry never changes
        <div key={`${label} ${index}`} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="flex min-w-0 flex-wrap gap-x-3">
            {before !== '' && (
              <del className="text-muted no-underline">
                <span aria-hidden>– </span>
                <span className="line-through">{before}</span>
              </del>
            )}
            {after !== '' && (
              <ins className="font-medium text-strong no-underline">
                <span aria-hidden>+ </span>
                {after}
              </ins>
            )}
            {before === '' && after === '' && <span className="text-muted">changed</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
