import { Dialog } from '#/ui/Dialog.tsx'
import { aboutMetrics, perSample } from './about-metrics.ts'

/** What a metric counts and how a chart of it reads. */
export function AboutMetric({ metric, onClose }: { metric: string; onClose: () => void }) {
  return (
    <Dialog title="About this metric" onRequestClose={onClose}>
      <p className="font-mono text-sm text-strong wrap-anywhere">{metric}</p>
      <p className="mt-2">{aboutMetrics[metric]}</p>
      {!metric.startsWith('virtual_machine:') && <p className="mt-2 text-muted">{perSample}</p>}
    </Dialog>
  )
}
