import { describe, expect, test } from 'vitest'
import type { ColumnChoice } from '#/data/list-preferences.ts'
import type { Column } from '#/ui/data/column.ts'
import { arrange, choicesFor, moved, shownColumns } from './arrange-columns.ts'

const column = (id: string, more: Partial<Column<never>> = {}): Column<never> => ({
  id,
  header: id,
  cell: () => id,
  ...more,
})
const columns = [
  column('select', { part: 'select', header: '' }),
  column('name', { part: 'name' }),
  column('cpu'),
  column('memory'),
  column('image', { isOptional: true }),
  column('state'),
]
const choice = (id: string, isShown = true, width?: number): ColumnChoice => ({
  id,
  isShown,
  ...(width !== undefined && { width }),
})
const idsOf = (choices: ColumnChoice[]) => shownColumns(columns, choices).map(({ id }) => id)

describe('the columns of a list', () => {
  test.each<[string, ColumnChoice[], string]>([
    ['without a choice hide optional ones', [], 'select name cpu memory state'],
    ['can show optional ones', [choice('image')], 'select name cpu memory image state'],
    ['can be hidden', [choice('cpu', false)], 'select name memory state'],
    [
      'come in the chosen order',
      [choice('state'), choice('memory'), choice('cpu'), choice('image', false)],
      'select name state memory cpu',
    ],
    [
      'that are new follow the one that they follow by default',
      [choice('state'), choice('cpu')],
      'select name state cpu memory',
    ],
    [
      'that the list does not have are ignored',
      [choice('gone'), choice('state')],
      'select name cpu memory state',
    ],
    ['always have the name first', [choice('name', false), choice('state')], 'select name cpu memory state'],
  ])('%s', (_, choices, expected) => {
    expect(idsOf(choices).join(' ')).toBe(expected)
  })

  test('take the width that the user chose, also the name', () => {
    const shown = shownColumns(columns, [choice('name', true, 300), choice('cpu', true, 80)])
    expect(shown.map(({ ownWidth }) => ownWidth)).toEqual([undefined, 300, 80, undefined, undefined])
  })

  test('are the same array without a choice, so that rows do not render again', () => {
    const plain = columns.filter(({ isOptional }) => !isOptional)
    expect(shownColumns(plain, [])).toBe(plain)
  })

  test('move among those that can move', () => {
    const order = (to: number) =>
      moved(arrange(columns), 'cpu', to)
        .map(({ column: { id } }) => id)
        .join(' ')
    expect(order(1)).toBe('select name memory cpu image state')
    expect(order(9)).toBe('select name memory image state cpu')
    expect(order(-1)).toBe('select name cpu memory image state')
  })

  test('lead to choices that keep those of columns that the list does not have', () => {
    const old = [choice('gone', false, 90), choice('cpu', false)]
    expect(choicesFor(arrange(columns, old), old)).toEqual([
      choice('cpu', false),
      choice('memory'),
      choice('image', false),
      choice('state'),
      choice('gone', false, 90),
    ])
  })
})
