import { Button } from '#/ui/Button.tsx'
import type { ChartRange } from '#/ui/chart/chart.ts'
import { useCopied } from '#/ui/CopyButton.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { type MetricQuery, queryLines, queryText } from './oxql-text.ts'

interface Props {
  query: MetricQuery
  range: ChartRange
  onClose: () => void
}

const parts = /("[^"]*")|(@[\d:.T-]+|\b\d+s?\b)|\b(get|filter|align|group_by|mean_within|sum)\b/g

/** The query behind a chart, to read and copy. */
export function QueryDialog({ query, range, onClose }: Props) {
  const [isCopied, copy] = useCopied()
  return (
    <Dialog
      title="OxQL query"
      width="free"
      onRequestClose={onClose}
      footer={
        <Button kind="primary" onClick={() => void copy(queryText(query, range))}>
          {isCopied ? 'Copied' : 'Copy query'}
        </Button>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long line scrolls */}
      <pre tabIndex={0} aria-label="Query" className="overflow-x-auto font-mono text-sm">
        <code>{coloured(queryLines(query, range))}</code>
      </pre>
    </Dialog>
  )
}

/** Colours texts, numbers, times and keywords. */
function coloured(text: string) {
  const colours = ['', 'text-ok-text', 'text-accent-text', 'font-semibold text-strong']
  const pieces = []
  let at = 0
  for (const match of text.matchAll(parts)) {
    const kind = match.findIndex((group, index) => index > 0 && group !== undefined)
    pieces.push(text.slice(at, match.index))
    pieces.push(
      <span key={match.index} className={colours[kind]}>
        {match[0]}
      </span>,
    )
    at = match.index + match[0].length
  }
  return [...pieces, text.slice(at)]
}

/** Descriptions of the charted metrics, for `About this metric`. */
const aboutMetrics: Readonly<Record<string, string>> = {
  'virtual_machine:vcpu_usage':
    'Nanoseconds that each vCPU spent in a state, sampled every 5 seconds. The chart shows the share of the total vCPU time.',
  'virtual_disk:reads': 'Read operations of a disk while it is attached to a running instance.',
  'virtual_disk:writes': 'Write operations of a disk while it is attached to a running instance.',
  'virtual_disk:bytes_read': 'Bytes read from a disk while it is attached to a running instance.',
  'virtual_disk:bytes_written': 'Bytes written to a disk while it is attached to a running instance.',
  'virtual_disk:flushes': 'Requests to flush written data to stable storage.',
  'instance_network_interface:bytes_sent': 'Bytes sent by an interface.',
  'instance_network_interface:bytes_received': 'Bytes received by an interface.',
  'instance_network_interface:packets_sent': 'Packets sent by an interface.',
  'instance_network_interface:packets_received': 'Packets received by an interface.',
  'instance_network_interface:packets_dropped': 'Dropped packets to an interface.',
}

/** The average of a counter is not a rate, but the amount per sample. */
const perSample =
  'Counters show the mean amount per sample. Disks and interfaces are sampled every 10 seconds.'

/** Describes a metric and how to read its chart. */
export function AboutMetric({ metric, onClose }: { metric: string; onClose: () => void }) {
  return (
    <Dialog title="About this metric" onRequestClose={onClose}>
      <p className="font-mono text-sm text-strong wrap-anywhere">{metric}</p>
      <p className="mt-2">{aboutMetrics[metric]}</p>
      {!metric.startsWith('virtual_machine:') && <p className="mt-2 text-muted">{perSample}</p>}
    </Dialog>
  )
}
