import { implement } from '../../pipeline/implement.ts'
import { addFavourite, listFavourites, removeFavourite } from './favourites.ts'
import { listPreferences, updatePreference } from './list-preferences.ts'

export const viewsHttp = implement({
  favouriteList: (cx) => listFavourites(cx),
  favouriteAdd: addFavourite,
  favouriteRemove: removeFavourite,
  listPreferenceList: (cx) => listPreferences(cx),
  listPreferenceUpdate: (cx, { path, body }) => updatePreference(cx, path.list, body),
})
