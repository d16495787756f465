import type { OpRef } from '@gantry/api/client/client'
import { createStore, useStore } from '#/store.ts'

/** A column as its user wants it. */
export interface ColumnChoice {
  id: string
  isShown: boolean
  /** In pixels. */
  width?: number | undefined
}

/** How a user wants a list; what is absent is as the list has it. */
export interface ListPreference {
  /** In order. Columns that the list has gained since are not among them. */
  columns?: readonly ColumnChoice[] | undefined
  isDense?: boolean | undefined
  pageSize?: number | undefined
}

type Preferences = Readonly<Record<string, ListPreference>>

/** Rows per table page (specification, section 9). */
export const defaultPageSize = 50

/**
 * The list that an operation answers, by its path: the same with and without filters, in one project or in all of them.
 */
export const listId = ({ path }: Pick<OpRef, 'path'>): string =>
  path
    .replace(/^\/(ext\/)?v1\//, '')
    .replaceAll(/\/\{\w+\}/g, '')
    .replaceAll('/', '-')

const key = 'gantry-lists'
const preferences = createStore(readCopy())

/** The copy in this browser: a list must not show in one way first, and then in another. */
function readCopy(): Preferences {
  try {
    const copy: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof copy === 'object' && copy !== null ? (copy as Preferences) : {}
  } catch {
    return {}
  }
}

/** Where storage is forbidden, the choice lasts until the page closes. */
function writeCopy(all: Preferences): void {
  try {
    localStorage.setItem(key, JSON.stringify(all))
  } catch {
    // As said above.
  }
}

export const listPreference = (list: string): ListPreference => preferences.get()[list] ?? none
export const pageSizeOf = (list: string): number => listPreference(list).pageSize ?? defaultPageSize

const none: ListPreference = {}

export const useListPreference = (list: string): ListPreference => useStore(preferences)[list] ?? none

/** Whether the user chose to see a column that is hidden by default, so that what it shows is to be read. */
export const useIsColumnChosen = (list: string, column: string): boolean =>
  useListPreference(list).columns?.some(({ id, isShown }) => id === column && isShown) === true

/** Changes what is given; undefined resets it. */
export function changeListPreference(list: string, change: ListPreference): void {
  const { [list]: old, ...others } = preferences.get()
  const next = Object.fromEntries(
    Object.entries({ ...old, ...change }).filter(([, value]) => value !== undefined),
  ) as ListPreference
  const all = Object.keys(next).length === 0 ? others : { ...others, [list]: next }
  preferences.set(all)
  writeCopy(all)
}
