// @chunk templates: of their pages and of the form of a new instance.
import { isUuid } from '@gantry/api/base/name.rules'
import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { listQuery, opQuery } from '#/data/queries.ts'
import { findQuery } from '#/kit/list/find.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'

export type Template = OutputOf<'instanceTemplateView'>
export type TemplateSummary = OutputOf<'instanceTemplateList'>['items'][number]
export type TemplateField = Template['fixed'][number]
export type TemplateSettings = Template['settings']
export type TemplateReference = Template['references'][number]

/** In a project, or without one in the silo. */
export const inScope = (project: string | undefined) => (project === undefined ? {} : { query: { project } })

export const templateAt = (project: string | undefined, instanceTemplate: string) => ({
  path: { instanceTemplate },
  ...inScope(project),
})

export const templatesIn = (project: string | undefined) =>
  listQuery(op.instanceTemplateList, inScope(project))
/** With the URL's filter and order. */
export const foundTemplates = (project: string | undefined, search: FindSearch) =>
  listQuery(op.instanceTemplateList, {
    query: { ...(project !== undefined && { project }), ...findQuery(search) },
  })
export const templateView = (project: string | undefined, template: string) =>
  opQuery(op.instanceTemplateView, templateAt(project, template))

/** One that a link names by its id, or by its name in the project. */
export const namedTemplate = (project: string, template: string) =>
  templateView(isUuid(template) ? undefined : project, template)
