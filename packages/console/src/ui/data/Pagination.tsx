import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'

import { Button } from '../Button.tsx'
import { Spinner, useMinimumTime } from '../feedback/Spinner.tsx'

type Props = {
  /** Unknown if a link led into the middle of a list. */
  page: number | undefined
  pageSize?: number
  /** The next page is loading; the old rows stay on screen. */
  loading?: boolean
  /** Absent if there is no such page. */
  onPrevious?: () => void
  onNext?: () => void
}

/** The pagination bar below a list. The shell makes it stick. */
export function Pagination({ page, pageSize = 50, loading, onPrevious, onNext }: Props) {
  const isTurning = useMinimumTime(Boolean(loading))
  return (
    <nav
      aria-label="Pagination"
      className="flex min-h-foot flex-wrap items-center gap-x-3 gap-y-1 border-t border-line bg-page px-gutter py-1 text-sm text-muted tabular-nums"
    >
      <span className="flex items-center gap-2" aria-live="polite">
        {page !== undefined && <>Page {page}</>}
        {isTurning && <Spinner />}
      </span>
      <span className="max-md:sr-only">{pageSize} rows per page</span>
      <span className="grow" />
      <Button onClick={onPrevious} disabled={!onPrevious}>
        <ChevronLeft aria-hidden className="-ml-0.5 size-4" />
        Previous
      </Button>
      <Button onClick={onNext} disabled={!onNext}>
        Next
        <ChevronRight aria-hidden className="-mr-0.5 size-4" />
      </Button>
    </nav>
  )
}
