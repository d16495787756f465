import type { ChosenView, SavedView } from '#/data/list-preferences.ts'

/** A view of one's own, or a shared one. */
export type NamedView =
  | SavedView
  | Pick<ChosenView, 'id' | 'name' | 'filter' | 'sort' | 'isPinned' | 'isDefault'>
type View = SavedView | Pick<ChosenView, 'id' | 'name' | 'filter' | 'sort'>

/** What the URL names a view by: a shared one by its id, which stays if others rename it. */
export const viewKey = (view: View): string => ('id' in view ? view.id : view.name)

/** The URL's parameters of a saved view. */
export const searchOfView = (view: View): Record<string, string> => ({
  view: viewKey(view),
  ...(view.filter && { filter: view.filter }),
  ...(view.sort && { sort: view.sort }),
})
