import { spoken } from '@gantry/api/state.rules'
import type { Column } from '#/ui/column.ts'
import { Tag } from '#/ui/Tag.tsx'
import { plainNameColumn } from '#/features/common/columns.tsx'
import { endWords } from './end-words.ts'
import type { Route } from '../queries.ts'

export const routeColumns: readonly Column<Route>[] = [
  plainNameColumn<Route>(),
  { id: 'kind', header: 'Kind', part: 'state', cell: ({ kind }) => <Tag mono>{spoken(kind)}</Tag> },
  {
    id: 'destination',
    header: 'Destination',
    part: 'meta',
    cell: ({ destination: { type, value } }) => <Tag kind={endWords[type]}>{value}</Tag>,
  },
  {
    id: 'target',
    header: 'Target',
    part: 'meta',
    cell: ({ target }) =>
      target.type === 'drop' ? (
        <Tag>{endWords.drop}</Tag>
      ) : (
        <Tag kind={endWords[target.type]}>{target.value}</Tag>
      ),
  },
]
