import Check from 'lucide-react/icons/check'

/** Marks the pool that allocates addresses if none is named. */
export const PoolDefault = () => (
  <span className="inline-flex items-center gap-1.5">
    <Check aria-hidden strokeWidth={1.75} className="size-4 text-ok-fill" />
    default
  </span>
)
