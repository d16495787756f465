// oxlint-disable-next-line gantry/walls -- Vite bundles only relative imports of its configuration
import type { FilterField } from '../../../api/src/filter/filter-field.rules.ts'
// oxlint-disable-next-line gantry/walls -- Vite bundles only relative imports of its configuration
import { fieldsOf, filteredKinds, listKind } from '../../../api/src/filter/list-kinds.rules.ts'
import type { DocHeading, DocNode } from '../../src/features/docs/document.ts'
import type { Parsed } from './markdown.ts'

/** `Floating IPs` of `floating IP`. */
const titleOf = ({ noun, title }: { noun: string; title?: string }): string =>
  title ?? `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s`

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
  for (const kind of filteredKinds) {
    const title = titleOf(listKind(kind))
    headings.push({ id: kind, text: title, level: 2 })
    nodes.push(['h2', { id: kind }, title], tableOf(fieldsOf(kind)))
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
