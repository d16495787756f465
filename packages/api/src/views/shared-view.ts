import { z } from 'zod'
import { KiB } from '../base/bytes.rules.ts'
import { del, family, get, post, put } from '../op.ts'
import { IdPaging, idSorts, InProject, maybe, named, NameOrId, pageOf, Timestamp, Uuid } from '../schema.ts'
import { ListColumn, ListId, viewContents } from './list-preference.ts'

const SharedView = named(
  'SharedView',
  z.object({
    id: Uuid,
    list: ListId,
    name: z.string(),
    filter: z.string(),
    sort: z.string(),
    columns: z.array(ListColumn),
    /** Null for a view of the silo, which is of lists across projects. */
    project_id: Uuid.nullable(),
    /** Who shared it first; null for a user who is gone. */
    shared_by: z.object({ id: Uuid, name: z.string() }).nullable(),
    time_created: Timestamp,
    time_modified: Timestamp,
  }),
)
export type SharedView = z.infer<typeof SharedView>

const SharedViewCreate = named('SharedViewCreate', z.object({ list: ListId, ...viewContents }))
export type SharedViewCreate = z.infer<typeof SharedViewCreate>

const { name, filter, sort, columns } = viewContents
const SharedViewUpdate = named(
  'SharedViewUpdate',
  z.object({ name: maybe(name), filter: maybe(filter), sort: maybe(sort), columns: maybe(columns) }),
)
export type SharedViewUpdate = z.infer<typeof SharedViewUpdate>

const path = z.object({ shared_view: Uuid })
const bodyMax = 64 * KiB

export const sharedViewOps = family('extensions', ['shared-view'], {
  sharedViewList: get('/ext/v1/shared-views', {
    summary: 'List the shared views of a project, or those of the silo',
    query: IdPaging.extend({
      project: maybe(NameOrId),
      /** Only those of this list of the console. */
      list: maybe(ListId),
    }),
    sorts: idSorts,
    returns: pageOf('SharedView', SharedView),
  }),
  sharedViewCreate: post('/ext/v1/shared-views', {
    summary: 'Share a view of a list in a project or in the silo',
    query: InProject,
    body: SharedViewCreate,
    bodyMax,
    returns: SharedView,
  }),
  sharedViewView: get('/ext/v1/shared-views/{shared_view}', {
    summary: 'Fetch a shared view',
    path,
    returns: SharedView,
  }),
  sharedViewUpdate: put('/ext/v1/shared-views/{shared_view}', {
    summary: 'Rename a shared view, or replace its filter, order and columns',
    path,
    body: SharedViewUpdate,
    bodyMax,
    returns: SharedView,
  }),
  sharedViewDelete: del('/ext/v1/shared-views/{shared_view}', {
    summary: 'Delete a shared view for everybody',
    path,
  }),
})
