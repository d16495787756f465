import type { PastListKind } from '@gantry/api/history/past.rules'
import { fieldText, labelOf } from '#/kit/page/difference-words.ts'
import type { Column } from '#/ui/data/column.ts'
import { StatePlate } from '#/ui/data/StatePlate.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import type { PastObject } from './queries.ts'

const name: Column<PastObject> = {
  id: 'name',
  header: 'Name',
  cell: (object) => <span className="font-medium text-strong wrap-anywhere">{object.name}</span>,
}

const field = (id: string, more: Partial<Column<PastObject>> = {}): Column<PastObject> => ({
  id,
  header: labelOf(id),
  isLabelled: true,
  cell: ({ fields }) => {
    const text = fieldText(id, fields?.[id])
    return text === '' ? <EmptyCell /> : <span className="wrap-anywhere">{text}</span>
  },
  ...more,
})

interface Typed {
  type: string
  value?: unknown
}

const typedText = (given: unknown): string =>
  (given as readonly Typed[])
    .map(({ type, value }) => [type, fieldText('value', value)].join(' ').trim())
    .join(', ')

/** `vpc default`; of filters, `ports 22, tcp`. */
function ruleText(value: unknown): string {
  if (Array.isArray(value)) return typedText(value)
  const { hosts, ports, protocols } = (value ?? {}) as Record<string, readonly unknown[] | null | undefined>
  return [
    ...(hosts?.length ? [typedText(hosts)] : []),
    ...(ports?.length ? [`ports ${ports.join(', ')}`] : []),
    ...(protocols?.length ? [typedText(protocols)] : []),
  ].join(', ')
}

const ofRule = (id: 'targets' | 'filters'): Column<PastObject> => ({
  id,
  header: labelOf(id),
  part: 'line',
  cell: ({ fields }) => {
    const text = ruleText(fields?.[id])
    return text === '' ? <EmptyCell /> : <span className="wrap-anywhere">{sentenceCase(text)}</span>
  },
})

const action: Column<PastObject> = {
  id: 'action',
  header: 'Action',
  part: 'meta',
  cell: ({ fields }) =>
    sentenceCase(
      `${fieldText('action', fields?.['action'])} ${fieldText('direction', fields?.['direction'])}`,
    ),
}

const state = (id: 'state' | 'run_state'): Column<PastObject> => ({
  id,
  header: 'State',
  part: 'state',
  cell: ({ fields }) => <StatePlate family="idle">{sentenceCase(fieldText(id, fields?.[id]))}</StatePlate>,
})

/** What became of it. */
const since: Column<PastObject> = {
  id: 'since',
  header: 'Since then',
  part: 'meta',
  cell: ({ isGone, differences }) =>
    isGone ? (
      <Tag>Deleted</Tag>
    ) : differences.length > 0 ? (
      <Tag>Changed</Tag>
    ) : (
      <span className="text-muted">Unchanged</span>
    ),
}

export const pastColumns: Readonly<Record<PastListKind, readonly Column<PastObject>[]>> = {
  instance: [name, field('ncpus'), field('memory'), state('run_state'), since],
  disk: [name, field('instance', { header: 'Attached to' }), field('size'), state('state'), since],
  'vpc-firewall-rule': [
    name,
    action,
    ofRule('targets'),
    ofRule('filters'),
    field('priority', { align: 'right' }),
    field('status'),
    since,
  ],
}
