import { z } from 'zod'
import { KiB } from '../base/bytes.rules.ts'
import { family, get, put } from '../op.ts'
import { list, maybe, named, text, Uuid } from '../schema.ts'
import { filterMaxLength } from '../filter/filter-text.rules.ts'
import { listPreferenceLimits, viewNameProblem } from './list-preference.rules.ts'

const { columns, idLength, widthMin, widthMax, pageSizeMax, views, viewNameLength } = listPreferenceLimits

const idWords = `expected up to ${idLength} letters, digits, dashes and underscores`
const ColumnId = text(idLength, idWords).regex(/^[\w-]+$/, idWords)
const listWords = 'expected up to 63 lower-case letters, digits and dashes, beginning with a letter'
/** A list of the console, which is no object. */
export const ListId = text(63, listWords).regex(/^[a-z](?:[a-z0-9-]*[a-z0-9])?$/, listWords)

export const ListColumn = named(
  'ListColumn',
  z.object({
    id: ColumnId,
    is_shown: z.boolean(),
    /** In pixels; without one, the list decides. */
    width: maybe(z.number().int().min(widthMin).max(widthMax).meta({ format: 'uint16' })),
  }),
)

/** What a saved view holds, one's own or a shared one. */
export const viewContents = {
  name: text(viewNameLength).superRefine((name, context) => {
    const problem = viewNameProblem(name, [])
    if (problem) context.addIssue({ code: 'custom', message: problem })
  }),
  /** As in the field of the list. It is kept as it is, also if the list cannot read it. */
  filter: text(filterMaxLength),
  /** As in the URL of the list; empty for its own order. */
  sort: text(idLength),
  /** As of the list. */
  columns: list(ListColumn, columns),
}

const SavedView = named(
  'SavedView',
  z.object({
    ...viewContents,
    /** Whether the sidebar shows it. */
    is_pinned: z.boolean(),
    /** Whether the sidebar opens the list with it. */
    is_default: z.boolean(),
  }),
)

/** Names are unique, and at most one view is the default. */
const SavedViews = list(SavedView, views).superRefine((all, context) => {
  for (const [index, { name }] of all.entries()) {
    const problem = viewNameProblem(
      name,
      all.slice(0, index).map((other) => other.name),
    )
    if (problem) context.addIssue({ code: 'custom', message: problem, path: [index, 'name'] })
  }
  if (all.filter(({ is_default }) => is_default).length > 1)
    context.addIssue({ code: 'custom', message: 'only one view of a list can be the default' })
})

/** What a user chose of a shared view, which is the user's alone. */
const sharedChoice = {
  id: Uuid,
  /** Whether the sidebar shows it. */
  is_pinned: z.boolean(),
  /** Whether the sidebar opens the list of its project, or the one across projects, with it. */
  is_default: z.boolean(),
}
const ChosenSharedView = named(
  'ChosenSharedView',
  z.object({
    ...sharedChoice,
    name: z.string(),
    filter: z.string(),
    sort: z.string(),
    columns: z.array(ListColumn),
    /** Null for a view of the silo. */
    project_name: z.string().nullable(),
  }),
)
export type ChosenSharedView = z.infer<typeof ChosenSharedView>
/** Views that are gone, or that the user may not see any more, are skipped. */
const SharedChoices = list(named('SharedViewChoice', z.object(sharedChoice)), views).superRefine(
  (all, context) => {
    for (const [index, { id }] of all.entries())
      if (all.findIndex((other) => other.id === id) < index)
        context.addIssue({ code: 'custom', message: `the shared view ${id} is named twice`, path: [index] })
  },
)

const chosen = {
  /** In order; none for those of the list. */
  columns: list(ListColumn, columns),
  /** Lower rows. */
  is_dense: z.boolean(),
  page_size: z.number().int().min(1).max(pageSizeMax).meta({ format: 'uint16' }),
  views: SavedViews,
}
const ListPreference = named(
  'ListPreference',
  z.object({ list: ListId, ...chosen, shared_views: z.array(ChosenSharedView) }),
)
export type ListPreference = z.infer<typeof ListPreference>

const ListPreferenceUpdate = named(
  'ListPreferenceUpdate',
  z.object({
    /** What is not given stays as it is. */
    columns: maybe(chosen.columns),
    is_dense: maybe(chosen.is_dense),
    page_size: maybe(chosen.page_size),
    views: maybe(chosen.views),
    shared_views: maybe(SharedChoices),
  }),
)
export type ListPreferenceUpdate = z.infer<typeof ListPreferenceUpdate>

export const listPreferenceOps = family('extensions', ['list-preference'], {
  listPreferenceList: get('/ext/v1/me/list-preferences', {
    summary: 'Fetch how you want lists of the console',
    returns: named('ListPreferences', z.object({ items: z.array(ListPreference) })),
    // What it says of shared views.
    reads: ['list-preference', 'shared-view', 'project'],
  }),
  listPreferenceUpdate: put('/ext/v1/me/list-preferences/{list}', {
    summary: 'Choose columns, density, page size and saved views of a list',
    bodyMax: 256 * KiB,
    path: z.object({ list: ListId }),
    body: ListPreferenceUpdate,
    returns: ListPreference,
  }),
})
