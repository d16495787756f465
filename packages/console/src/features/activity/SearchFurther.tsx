// @chunk activity-log: of the accounts of all kinds of places, which no list or form needs.
import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '#/ui/Button.tsx'
import { formatDateTime } from '#/ui/data/format.ts'
import { Spinner } from '#/ui/feedback/Spinner.tsx'

/** Pages without a match that are searched without asking again. */
const pagesAtOnce = 25

interface Props {
  /** Until when everything was searched. */
  timeSearched: Date
  /** Nothing was found yet. */
  isEmpty: boolean
  isTurning: boolean
  /** Shows the next page in place of this one. */
  onFurther: () => void
}

/**
 * Says how far back a search came that stopped before the end, and continues it: alone while nothing is found, otherwise
 * when asked.
 */
export function SearchFurther({ timeSearched, isEmpty, isTurning, onFurther }: Props) {
  const [left, setLeft] = useState(pagesAtOnce)
  /** The end of the page that it left last. */
  const [leftAt, setLeftAt] = useState<number>()
  const isSearching = isEmpty && left > 0
  const end = timeSearched.getTime()
  const continues = useEffectEvent(() => {
    setLeftAt(end)
    setLeft(left - 1)
    onFurther()
  })
  const isDue = isSearching && !isTurning && end !== leftAt
  useEffect(() => {
    if (!isDue) return
    const timer = setTimeout(() => continues())
    return () => clearTimeout(timer)
  }, [isDue])
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3 rounded-block border border-dashed border-control-line px-4 py-3">
      {isSearching && <Spinner />}
      <p role="status" className="min-w-0 grow">
        {isEmpty && (isSearching ? 'Nothing found yet. ' : 'Nothing found so far. ')}
        {`Searched back to ${formatDateTime(timeSearched)}.`}
      </p>
      {isSearching ? (
        <Button onClick={() => setLeft(0)}>Stop</Button>
      ) : (
        <Button
          pending={isTurning}
          onClick={() => {
            setLeft(isEmpty ? pagesAtOnce : 0)
            onFurther()
          }}
        >
          Search further
        </Button>
      )}
    </div>
  )
}
