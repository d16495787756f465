import { lazyPart } from '#/ui/lazy-part.tsx'
import { Skeleton } from '#/ui/Skeleton.tsx'

/** Charts come with a library that no other tab needs. */
export const InstanceMetrics = lazyPart(
  () => import('#/features/metrics/InstanceMetrics.tsx'),
  'InstanceMetrics',
  <Skeleton className="h-100 w-full" />,
)
