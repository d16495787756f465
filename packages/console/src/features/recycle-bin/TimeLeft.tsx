import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useSecond } from '#/ui/use-second.ts'
import { timeLeft } from './words.ts'

const soonMs = 3_600_000

/** How long an item can still be restored, with a sign in its last hour. */
export function TimeLeft({ until }: { until: Date }) {
  const now = useSecond()
  const isSoon = until.getTime() - now.getTime() < soonMs
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap tabular-nums">
      {isSoon && <TriangleAlert role="img" aria-label="Soon" className="size-4 text-busy-fill" />}
      {timeLeft(until, now)}
    </span>
  )
}
