import { lazyPart } from '#/ui/lazy-part.tsx'
import { Skeleton } from '#/ui/Skeleton.tsx'

const placeholder = <Skeleton className="h-100 w-full" />

/* Charts come with a library that the figures above them do not need. */
export const SystemCharts = lazyPart(
  () => import('#/features/metrics/SystemCharts.tsx'),
  'SystemCharts',
  placeholder,
)
export const SiloCharts = lazyPart(
  () => import('#/features/metrics/SiloCharts.tsx'),
  'SiloCharts',
  placeholder,
)
