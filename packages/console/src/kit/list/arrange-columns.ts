import type { ColumnChoice } from '#/data/list-preferences.ts'
import { type Column, labelOf } from '#/ui/data/column.ts'

/** A column in the place that its user wants. */
export interface Arranged<Item> {
  column: Column<Item>
  /** Absent for columns that stay where they are: they name a row, or have no name themselves. */
  label: string | undefined
  isShown: boolean
}

const isFixed = (column: Column<never>, index: number): boolean =>
  column.part === 'select' ||
  column.part === 'name' ||
  (column.part === undefined && index === 0) ||
  labelOf(column) === undefined

/**
 * All columns in the order that the user chose. Fixed ones keep their place; a column that the list has gained since
 * comes after the one that it follows by default; choices of columns that the list does not have are ignored.
 */
export function arrange<Item>(
  columns: readonly Column<Item>[],
  choices: readonly ColumnChoice[] = [],
): Arranged<Item>[] {
  const choiceOf = new Map(choices.map((choice) => [choice.id, choice]))
  const movable = columns.filter((column, index) => !isFixed(column, index))
  const order = choices.flatMap(({ id }) => movable.find((column) => column.id === id) ?? [])
  for (const [index, column] of movable.entries()) {
    if (order.includes(column)) continue
    const before = movable[index - 1]
    order.splice(before ? order.indexOf(before) + 1 : 0, 0, column)
  }
  const inOrder = order.values()
  return columns.map((each, index) => {
    const isInPlace = isFixed(each, index)
    const column = isInPlace ? each : (inOrder.next().value ?? each)
    const choice = choiceOf.get(column.id)
    return {
      column: choice?.width == null ? column : { ...column, ownWidth: choice.width },
      label: isInPlace ? undefined : labelOf(column),
      isShown: isInPlace || (choice?.isShown ?? !column.isOptional),
    }
  })
}

/** The columns to show. */
export function shownColumns<Item>(
  columns: readonly Column<Item>[],
  choices: readonly ColumnChoice[],
): readonly Column<Item>[] {
  if (choices.length === 0 && !columns.some(({ isOptional }) => isOptional)) return columns
  return arrange(columns, choices).flatMap(({ column, isShown }) => (isShown ? [column] : []))
}

/** The choices that lead to an arrangement. Those of columns that the list does not have now stay. */
export function choicesFor(
  arranged: readonly Arranged<never>[],
  old: readonly ColumnChoice[] = [],
): ColumnChoice[] {
  const known = new Set(arranged.map(({ column }) => column.id))
  return [
    ...arranged.flatMap(({ column: { id, ownWidth }, label, isShown }) =>
      label === undefined && ownWidth === undefined
        ? []
        : [{ id, isShown, ...(ownWidth !== undefined && { width: ownWidth }) }],
    ),
    ...old.filter(({ id }) => !known.has(id)),
  ]
}

/** The arrangement with a column moved up or down among those that can move. */
export function moved<Item>(
  arranged: readonly Arranged<Item>[],
  id: string,
  to: number,
): readonly Arranged<Item>[] {
  const movable = arranged.filter(({ label }) => label !== undefined)
  const entry = movable.find(({ column }) => column.id === id)
  if (!entry) return arranged
  const rest = movable.filter((each) => each !== entry)
  rest.splice(Math.max(0, Math.min(to, rest.length)), 0, entry)
  const inOrder = rest.values()
  return arranged.map((each) => (each.label === undefined ? each : (inOrder.next().value ?? each)))
}
