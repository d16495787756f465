import type { SupportBundleState } from '@gantry/api/system/support-bundle.rules'
import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import { PageLink } from '#/kit/links/PageLink.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import { Progress } from '#/ui/data/Progress.tsx'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import { EmptyCell, Truncate } from '#/ui/data/Truncate.tsx'
import { bundleLink, bundleName } from './links.ts'
import type { Bundle, BundleFile } from './queries.ts'
import { saveBundleFile } from './save-bundle.ts'

export const bundleColumns: Column<Bundle>[] = [
  {
    id: 'name',
    header: 'Bundle',
    part: 'name',
    cell: ({ id }) => (
      <PageLink {...bundleLink(id)} className="name">
        {bundleName(id)}
      </PageLink>
    ),
  },
  { id: 'state', header: 'State', part: 'state', cell: ({ state }) => <BundleState state={state} /> },
  {
    id: 'size',
    header: 'Size',
    isLabelled: true,
    cell: (bundle) => <BundleSize {...bundle} />,
  },
  {
    id: 'comment',
    header: 'Comment',
    part: 'line',
    cell: ({ userComment, reasonForFailure }) => {
      const text = reasonForFailure ?? userComment
      return text ? <Truncate text={text} max={48} /> : <EmptyCell />
    },
  },
  {
    id: 'created',
    header: 'Created',
    part: 'meta',
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

export const fileColumns: Column<BundleFile & { bundle: string }>[] = [
  {
    id: 'path',
    header: 'File',
    part: 'name',
    cell: ({ bundle, path }) => (
      <button
        type="button"
        aria-label={`Download ${path}`}
        className="link inline-flex items-center gap-2 font-mono text-[0.8125rem]"
        onClick={() => void saveBundleFile(bundle, path)}
      >
        <ArrowDownToLine aria-hidden strokeWidth={1.75} className="size-3.5 shrink-0" />
        {path}
      </button>
    ),
  },
  {
    id: 'size',
    header: 'Size',
    align: 'right',
    cell: ({ size }) => (Number.isNaN(size) ? <EmptyCell /> : <Size bytes={size} />),
  },
]

const words: Record<SupportBundleState, { family: StateFamily; text: string }> = {
  collecting: { family: 'busy', text: 'Collecting' },
  active: { family: 'ok', text: 'Ready' },
  failed: { family: 'fail', text: 'Failed' },
  destroying: { family: 'gone', text: 'Deleting' },
}

export const BundleState = ({ state }: Pick<Bundle, 'state'>) => (
  <StatePlate family={words[state].family}>{words[state].text}</StatePlate>
)

/** Its size, or how much of it is collected. */
export function BundleSize({
  state,
  size,
  ...progress
}: Pick<Bundle, 'state' | 'size' | 'partsDone' | 'partsTotal'>) {
  if (state === 'collecting' && progress.partsTotal > 0) return <BundleProgress {...progress} />
  return size === null ? <EmptyCell /> : <Size bytes={size} />
}

function BundleProgress({ partsDone, partsTotal }: Pick<Bundle, 'partsDone' | 'partsTotal'>) {
  const percent = (100 * partsDone) / partsTotal
  return (
    <div className="flex min-w-28 items-center gap-2">
      <div className="flex-1">
        <Progress label="Collected" percent={percent} />
      </div>
      <span className="text-xs whitespace-nowrap text-muted tabular-nums">
        {partsDone} of {partsTotal}
      </span>
    </div>
  )
}
