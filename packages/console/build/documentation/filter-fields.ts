// oxlint-disable-next-line gantry/walls -- Vite bundles only relative imports of its configuration
import { type FilterField, filterFields } from '../../../api/src/filter/filter-fields.rules.ts'
import type { DocHeading, DocNode } from '../../src/features/docs/document.ts'
import type { Parsed } from './markdown.ts'

const kinds: Readonly<Record<keyof typeof filterFields, string>> = {
  instance: 'Instances',
  'fleet-instance': 'Instances of all silos',
  disk: 'Disks',
  snapshot: 'Snapshots',
  'instance-snapshot': 'Instance snapshots',
  'instance-backup': 'Backups of instances',
  image: 'Images',
  'floating-ip': 'Floating IPs',
  'external-subnet': 'External subnets',
  vpc: 'VPCs',
}

const types: Readonly<Record<FilterField['type'], string>> = {
  text: 'text, with * for any',
  id: 'id, or its beginning',
  choice: 'one of these: ',
  number: 'number',
  bytes: 'size',
  time: 'age or date',
  relation: 'another object, by name or id',
  address: 'address or range',
  mac: 'MAC address, with * for any',
  flag: 'yes or no',
  tag: 'key, or key and value',
}

/** The fields by which each list is filtered, from the contract. */
export function filterFieldsPage(): Parsed {
  const headings: DocHeading[] = []
  const nodes: DocNode[] = [
    [
      'lead',
      null,
      'The fields of each list, with an example. How terms are written and combined is under ',
      ['a', { href: '/docs/filters' }, 'Filters of lists'],
      '.',
    ],
  ]
  for (const [kind, fields] of Object.entries(filterFields) as [keyof typeof filterFields, object][]) {
    headings.push({ id: kind, text: kinds[kind], level: 2 })
    nodes.push(['h2', { id: kind }, kinds[kind]], tableOf(fields as Record<string, FilterField>))
  }
  return { title: 'Filter fields', nodes, headings }
}

const tableOf = (fields: Readonly<Record<string, FilterField>>): DocNode => [
  'table',
  null,
  [
    'thead',
    null,
    ['tr', null, ...['Field', 'What it is', 'Values', 'Example'].map((head): DocNode => ['th', null, head])],
  ],
  [
    'tbody',
    null,
    ...Object.entries(fields).map(([name, field]): DocNode => [
      'tr',
      null,
      ['td', null, ['code', null, name]],
      ['td', null, field.label + (field.ofFleet ? ', for operators' : '')],
      ['td', null, valuesOf(field)],
      ['td', null, ['code', null, field.example]],
    ]),
  ],
]

const valuesOf = ({ type, values = [], canLack }: FilterField): string =>
  `${types[type]}${values.join(', ')}${canLack ? ', or none' : ''}`
