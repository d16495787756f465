// @chunk found-lists: of lists that are filtered, which no other page needs.
import type { FilteredKind, OfProjectKind } from '@gantry/api/filter/list-kinds.rules'
import { countedUses } from '@gantry/api/base/list-details.rules'
import type { ReactNode } from 'react'
import { RelativeTime } from '#/ui/data/DateTime.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import type { Column } from '#/ui/data/column.ts'
import { formatNumber, plural } from '#/ui/data/format.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { type Detail, DetailValue, useDetails } from './details.tsx'

interface Row {
  id: string
  timeCreated: Date
}

type Rows = readonly Row[]

interface CellProps {
  kind: OfProjectKind
  /** Of the page, whose details are read by one request once a column shows one. */
  rows: Rows
  id: string
  render: (detail: Detail) => ReactNode
}

function DetailCell({ kind, rows, id, render }: CellProps) {
  return <DetailValue of={useDetails(kind, rows)} id={id} render={render} />
}

const listed = (texts: readonly string[]): ReactNode =>
  texts.length === 0 ? <EmptyCell /> : <span className="tabular-nums">{texts.join(', ')}</span>

type Shown = Pick<Column<Row>, 'id' | 'header' | 'align'> & { render: (detail: Detail) => ReactNode }

const protection: Shown = {
  id: 'protection',
  header: 'Protection',
  render: (detail) => (detail.isProtected ? 'Protected' : <EmptyCell />),
}
const image: Shown = {
  id: 'image',
  header: 'Image',
  render: (detail) => detail.image?.name ?? <EmptyCell />,
}

const schedule: Shown = {
  id: 'schedule',
  header: 'Schedule',
  render: (detail) => detail.schedule?.name ?? <EmptyCell />,
}
const partOf: Shown = {
  id: 'part-of',
  header: 'Part of',
  render: ({ instanceSnapshot }) => instanceSnapshot?.name ?? <EmptyCell />,
}

/** What lists can show besides, each hidden until the user chooses it. */
const shown: Readonly<Record<OfProjectKind, readonly Shown[]>> = {
  instance: [
    { id: 'external-ips', header: 'External IPs', render: ({ externalIps }) => listed(externalIps) },
    { id: 'internal-ips', header: 'Internal IPs', render: ({ internalIps }) => listed(internalIps) },
    image,
    {
      id: 'last-restart',
      header: 'Last restart',
      render: ({ timeLastRestarted }) =>
        timeLastRestarted ? <RelativeTime value={timeLastRestarted} ago /> : <EmptyCell />,
    },
    { id: 'vpc', header: 'VPC', render: ({ vpcs }) => listed(vpcs.map(({ name }) => name)) },
    protection,
  ],
  disk: [
    image,
    {
      id: 'size-used',
      header: 'Size used',
      align: 'right',
      render: ({ sizeUsed }) => (sizeUsed === null ? <EmptyCell /> : <Size bytes={sizeUsed} />),
    },
    {
      id: 'snapshots',
      header: 'Snapshots',
      align: 'right',
      render: ({ snapshots }) => formatNumber(snapshots ?? 0),
    },
    protection,
  ],
  snapshot: [schedule, partOf],
  'instance-snapshot': [schedule],
  'instance-backup': [schedule],
  image: [
    {
      id: 'used-by',
      header: 'Used by',
      render: ({ usedBy }) => usedWords(usedBy ?? 0),
    },
    protection,
  ],
  'floating-ip': [protection],
  'external-subnet': [protection],
  vpc: [protection],
  schedule: [],
  'instance-template': [],
}

const usedWords = (count: number): string =>
  count > countedUses
    ? `more than ${formatNumber(countedUses)} disks`
    : `${formatNumber(count)} ${plural('disk', count)}`

const sled: Shown = {
  id: 'sled',
  header: 'Sled',
  render: (detail) => detail.sled?.name ?? <EmptyCell />,
}

const isOfProject = (kind: FilteredKind): kind is OfProjectKind => Object.hasOwn(shown, kind)

/** Columns that are hidden until the user chooses them. Only operators may see sleds. */
export function detailColumns<Item extends Row>(
  kind: FilteredKind,
  rows: readonly Item[],
  isOperator: boolean,
): Column<Item>[] {
  return [
    ...(isOfProject(kind) ? ofKind(kind, rows, isOperator) : []),
    {
      id: 'age',
      header: 'Age',
      part: 'meta',
      isOptional: true,
      isLabelled: true,
      cell: ({ timeCreated }) => <RelativeTime value={timeCreated} />,
    },
  ]
}

const ofKind = <Item extends Row>(
  kind: OfProjectKind,
  rows: readonly Item[],
  isOperator: boolean,
): Column<Item>[] =>
  [...shown[kind], ...(kind === 'instance' && isOperator ? [sled] : [])].map(({ render, ...column }) => ({
    ...column,
    part: 'meta',
    isOptional: true,
    isLabelled: true,
    cell: ({ id }) => <DetailCell kind={kind} rows={rows} id={id} render={render} />,
  }))
