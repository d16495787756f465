import { implement } from '../../pipeline/implement.ts'
import { addFavourite, listFavourites, removeFavourite } from './favourites.ts'
import { listPreferences, updatePreference } from './list-preferences.ts'
import {
  createSharedView,
  deleteSharedView,
  listSharedViews,
  updateSharedView,
  viewSharedView,
} from './shared-views.ts'

export const viewsHttp = implement({
  favouriteList: (cx) => listFavourites(cx),
  favouriteAdd: addFavourite,
  favouriteRemove: removeFavourite,
  listPreferenceList: (cx) => listPreferences(cx),
  listPreferenceUpdate: (cx, { path, body }) => updatePreference(cx, path.list, body),
  sharedViewList: (cx, { query }) => listSharedViews(cx, query),
  sharedViewCreate: (cx, { query, body }) => createSharedView(cx, query, body),
  sharedViewView: (cx, { path }) => viewSharedView(cx, path),
  sharedViewUpdate: (cx, { path, body }) => updateSharedView(cx, path, body),
  sharedViewDelete: (cx, { path }) => deleteSharedView(cx, path),
})
