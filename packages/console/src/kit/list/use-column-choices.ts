import { useSearch } from '@tanstack/react-router'
import {
  type ColumnChoice,
  type ListPreference,
  sharedColumns,
  useListPreference,
} from '#/data/list-preferences.ts'
import { useStore } from '#/store.ts'
import type { FindSearch } from './use-list-page.ts'

/** The user's own saved view that the URL names; undefined without one, or if it is another user's. */
export const viewNamed = ({ views }: ListPreference, name: string | undefined) =>
  name === undefined ? undefined : views.find((view) => view.name === name)

/** The columns of the view that the URL names, or else those that the user chose for the list. */
export function useColumnChoices(list: string): readonly ColumnChoice[] {
  const { view }: FindSearch = useSearch({ strict: false })
  const preference = useListPreference(list)
  const { saved, changed } = useStore(sharedColumns)
  if (view === undefined) return preference.columns
  const chosen = () => preference.sharedViews.find(({ id }) => id === view)?.columns
  const shared = () => changed[view] ?? saved[view] ?? chosen()
  return viewNamed(preference, view)?.columns ?? shared() ?? preference.columns
}

/** Whether the user chose to see a column that is hidden by default, so that what it shows is to be read. */
export const useIsColumnChosen = (list: string, column: string): boolean =>
  useColumnChoices(list).some(({ id, isShown }) => id === column && isShown)
