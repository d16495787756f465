import { Button } from '#/ui/Button.tsx'
import { useCopied } from '#/ui/CopyButton.tsx'
import { Dialog } from '#/ui/Dialog.tsx'
import type { ChartRange } from '#/ui/chart/chart.ts'
import { type MetricQuery, queryLines, queryText } from './oxql-text.ts'

interface Props {
  query: MetricQuery
  range: ChartRange
  onClose: () => void
}

const parts = /("[^"]*")|(@[\d:.T-]+|\b\d+s?\b)|\b(get|filter|align|group_by|mean_within|sum)\b/g

/** The query behind a chart, to be read and copied. */
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

/** Texts, numbers with times, and keywords in colours of their own. */
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
