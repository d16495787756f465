import { implement } from '../../pipeline/implement.ts'
import { listPreferences, updatePreference } from './list-preferences.ts'

export const viewsHttp = implement({
  listPreferenceList: (cx) => listPreferences(cx),
  listPreferenceUpdate: (cx, { path, body }) => updatePreference(cx, path.list, body),
})
