import { useRef, useState } from 'react'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { Failure } from '#/data/failure.ts'
import { SectionError } from '#/kit/page/SectionError.tsx'
import type { ChartData, ChartMark, ChartRange } from '#/ui/chart/chart.ts'
import { Plot } from '#/ui/chart/Plot.tsx'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import { RowMenu } from '#/ui/overlays/RowMenu.tsx'
import { saveFile, saveText } from '#/ui/save-file.ts'
import { toast } from '#/ui/overlays/toast.ts'
import { chartCsv } from './chart-data.ts'

const ChartTable = lazyPart(() => import('./ChartTable.tsx'), 'ChartTable')

interface Props {
  title: string
  subtitle?: string | undefined
  unit: string | undefined
  /** Undefined until the first response; null if there is nothing to draw. */
  data: ChartData | null | undefined
  failure?: Failure | undefined
  range: ChartRange
  marks?: readonly ChartMark[] | undefined
  syncKey: string
  onZoom: (start: number, end: number) => void
  onRetry: () => void
  /** Menu entries above the ones that every chart has. */
  entries?: () => readonly MenuEntry[]
}

/** A chart with its title and menu, in each of its states: loading, empty, failed, drawn. */
export function ChartCard(props: Props) {
  const { title, subtitle, unit, data, failure, range, marks, syncKey, onZoom, onRetry, entries } = props
  const drawing = useRef<HTMLDivElement>(null)
  const [isTableOpen, setTableOpen] = useState(false)
  const fileName = title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const nothing = data ? undefined : 'There is nothing to show yet'

  const own = (): MenuEntry[] => [
    { label: 'View as table', disabled: nothing, onSelect: () => setTableOpen(true) },
    {
      label: 'Download CSV',
      disabled: nothing,
      onSelect: () => data && saveText(`${fileName}.csv`, chartCsv(data, unit ?? ''), 'text/csv'),
    },
    {
      label: 'Download PNG',
      disabled: nothing,
      onSelect: () => savePicture(drawing.current, `${fileName}.png`),
    },
  ]

  return (
    <section
      aria-label={`${title} chart`}
      className="min-w-0 rounded-block border border-line bg-page pt-3 pr-2 pb-2 pl-4"
    >
      <div className="flex items-center gap-1.5">
        <h2 className="text-base">{title}</h2>
        {unit && <span className="text-sm text-muted">({unit})</span>}
        <span className="grow" />
        <RowMenu label={`${title} chart actions`} entries={() => [...(entries?.() ?? []), ...own()]} />
      </div>
      <p className="mb-2 min-h-5 text-sm text-muted">{subtitle}</p>
      <div ref={drawing}>
        {failure ? (
          <SectionError failure={failure} onRetry={onRetry} hidesFault />
        ) : data ? (
          <Plot
            label={`${title}, ${unit}`}
            data={data}
            range={range}
            {...(marks && { marks })}
            syncKey={syncKey}
            onZoom={onZoom}
          />
        ) : data === undefined ? (
          <div
            role="status"
            aria-label="Chart loading"
            className="chart-blank animate-pulse motion-reduce:animate-none"
          />
        ) : (
          <div className="chart-blank">
            <div className="text-center">
              <p className="font-medium text-strong">No data</p>
              <p className="text-sm text-muted">There is no data for this period.</p>
            </div>
          </div>
        )}
      </div>
      {isTableOpen && data && (
        <ChartTable
          title={title}
          unit={unit ?? ''}
          data={data}
          marks={marks?.filter(({ time }) => time >= range[0] && time <= range[1])}
          onClose={() => setTableOpen(false)}
        />
      )}
    </section>
  )
}

function savePicture(within: HTMLElement | null, name: string): void {
  const canvas = within?.querySelector('canvas')
  canvas?.toBlob((picture) => {
    if (picture) saveFile(name, picture)
    else toast.error({ title: 'Could not save the picture', text: 'Download the numbers as CSV instead.' })
  })
}
