import type { OpRef, OutputOf } from '@gantry/api/client/client'
import { listPageSize } from '@gantry/api/views/list-preference.rules'
import { createStore, useStore } from '#/store.ts'

/** How a user wants a list. */
export type ListPreference = Omit<OutputOf<'listPreferenceList'>['items'][number], 'list'>
/** A column as its user wants it. Columns that the list has gained since are not among them. */
export type ColumnChoice = ListPreference['columns'][number]

/** A filter of a list with its order and columns, under a name. */
export type SavedView = ListPreference['views'][number]
/** A shared view that the user pinned, or that lists open with. */
export type ChosenView = ListPreference['sharedViews'][number]

/** How lists are by default. */
export const untouched: ListPreference = {
  columns: [],
  isDense: false,
  pageSize: listPageSize,
  views: [],
  sharedViews: [],
}

/**
 * The list that an operation answers, by its path: the same with and without filters, in one project or in all of them.
 */
export const listId = ({ path }: Pick<OpRef, 'path'>): string =>
  path
    .replace(/^\/(ext\/)?v1\//, '')
    .replaceAll(/\/\{\w+\}/g, '')
    .replaceAll('/', '-')

/** The same of the path of a list's page. */
export const listIdAt = (path: string): string =>
  path.replace(/^\/(?:projects\/\$project\/|all\/)?/, '').replaceAll('/', '-')

type ByList<Value> = Readonly<Record<string, Value>>

type Columns = readonly ColumnChoice[]
/**
 * Columns of shared views, by their ids: as they are saved, and as this user changed them, which no other user sees until
 * they are saved.
 */
export const sharedColumns = createStore<{ saved: ByList<Columns>; changed: ByList<Columns> }>({
  saved: {},
  changed: {},
})

/** What this browser knows of its user's preferences. */
export interface Copy {
  /** Whose they are. */
  user?: string | undefined
  lists: ByList<ListPreference>
  /** Changes that the server does not have yet. */
  unsent: ByList<Partial<ListPreference>>
}

const key = 'gantry-lists'
const nothing: Copy = { lists: {}, unsent: {} }

/** A list must not show in one way first, and then in another. */
export const preferences = createStore(readCopy())

function readCopy(): Copy {
  try {
    const copy = { ...nothing, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Copy>) }
    // An earlier version kept less of each list.
    const lists = Object.entries(copy.lists).map(([list, kept]) => [list, { ...untouched, ...kept }])
    return { ...copy, lists: Object.fromEntries(lists) as Copy['lists'] }
  } catch {
    return nothing
  }
}

export function keepCopy(copy: Copy): void {
  preferences.set(copy)
  try {
    localStorage.setItem(key, JSON.stringify(copy))
  } catch {
    // Where storage is forbidden, they last until the page closes.
  }
}

/** Another user's copy is no use. Returns whether there is one of this user. */
export function ownCopy(user: string): boolean {
  const isOwn = preferences.get().user === user
  if (!isOwn) preferences.set({ ...nothing, user })
  return isOwn
}

export const listPreference = (list: string): ListPreference => preferences.get().lists[list] ?? untouched
export const pageSizeOf = (list: string): number => listPreference(list).pageSize

export const useListPreference = (list: string): ListPreference =>
  useStore(preferences).lists[list] ?? untouched
