import { z } from 'zod'
import { family, get, put } from '../op.ts'
import { list, maybe, Name, named, text } from '../schema.ts'
import { listPreferenceLimits } from './list-preference.rules.ts'

const { columns, idLength, widthMin, widthMax, pageSizeMax } = listPreferenceLimits

const idWords = `expected up to ${idLength} letters, digits, dashes and underscores`
const ColumnId = text(idLength, idWords).regex(/^[\w-]+$/, idWords)

const ListColumn = named(
  'ListColumn',
  z.object({
    id: ColumnId,
    is_shown: z.boolean(),
    /** In pixels; without one, the list decides. */
    width: maybe(z.number().int().min(widthMin).max(widthMax).meta({ format: 'uint16' })),
  }),
)

const chosen = {
  /** In order; none for those of the list. */
  columns: list(ListColumn, columns),
  /** Lower rows. */
  is_dense: z.boolean(),
  page_size: z.number().int().min(1).max(pageSizeMax).meta({ format: 'uint16' }),
}
const ListPreference = named('ListPreference', z.object({ list: Name, ...chosen }))
export type ListPreference = z.infer<typeof ListPreference>

const ListPreferenceUpdate = named(
  'ListPreferenceUpdate',
  z.object({
    /** What is not given stays as it is. */
    columns: maybe(chosen.columns),
    is_dense: maybe(chosen.is_dense),
    page_size: maybe(chosen.page_size),
  }),
)
export type ListPreferenceUpdate = z.infer<typeof ListPreferenceUpdate>

export const listPreferenceOps = family('extensions', ['list-preference'], {
  listPreferenceList: get('/ext/v1/me/list-preferences', {
    summary: 'Fetch how you want lists of the console',
    returns: named('ListPreferences', z.object({ items: z.array(ListPreference) })),
  }),
  listPreferenceUpdate: put('/ext/v1/me/list-preferences/{list}', {
    summary: 'Choose columns, density and page size of a list',
    path: z.object({ list: Name }),
    body: ListPreferenceUpdate,
    returns: ListPreference,
  }),
})
