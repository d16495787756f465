import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import { PageLink } from '#/features/common/PageLink.tsx'
import type { Column } from '#/ui/column.ts'
import { DateTime } from '#/ui/DateTime.tsx'
import { Size } from '#/ui/Figures.tsx'
import { EmptyCell, Truncate } from '#/ui/Truncate.tsx'
import { bundleLink, bundleName } from './links.ts'
import { BundleProgress, BundleState } from './parts.tsx'
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
    cell: (bundle) =>
      bundle.state === 'collecting' ? (
        <BundleProgress {...bundle} />
      ) : bundle.size === null ? (
        <EmptyCell />
      ) : (
        <Size bytes={bundle.size} />
      ),
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
  { id: 'size', header: 'Size', align: 'right', cell: ({ size }) => <Size bytes={size} /> },
]
