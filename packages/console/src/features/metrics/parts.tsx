import { lazyPart } from '#/ui/lazy-part.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'

const placeholder = <Skeleton className="h-100 w-full" />

/* Load separately, because charts need a library that their pages do not. */
export const InstanceMetrics = lazyPart(() => import('./InstanceMetrics.tsx'), 'InstanceMetrics', placeholder)
export const DiskMetrics = lazyPart(() => import('./DiskMetrics.tsx'), 'DiskMetrics', placeholder)
export const SystemCharts = lazyPart(() => import('./SystemCharts.tsx'), 'SystemCharts', placeholder)
export const SiloCharts = lazyPart(() => import('./SiloCharts.tsx'), 'SiloCharts', placeholder)
export const MetricsExplorer = lazyPart(
  () => import('./explorer/MetricsExplorer.tsx'),
  'MetricsExplorer',
  placeholder,
)
