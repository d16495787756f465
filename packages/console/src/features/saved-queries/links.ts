import type { LinkTarget } from '#/kit/links/link-target.ts'
import type { Scope } from './queries.ts'

export const savedQueriesLink = (project: Scope): LinkTarget =>
  project === undefined
    ? { to: '/system/saved-queries' }
    : { to: '/projects/$project/saved-queries', params: { project } }

export const newSavedQueryLink = (project: Scope): LinkTarget =>
  project === undefined
    ? { to: '/system/saved-queries-new' }
    : { to: '/projects/$project/saved-queries-new', params: { project } }

export const savedQueryLink = (project: Scope, query: string): LinkTarget =>
  project === undefined
    ? { to: '/system/saved-queries/$query', params: { query } }
    : { to: '/projects/$project/saved-queries/$query', params: { project, query } }

export const editSavedQueryLink = (project: Scope, query: string): LinkTarget =>
  project === undefined
    ? { to: '/system/saved-queries/$query/edit', params: { query } }
    : { to: '/projects/$project/saved-queries/$query/edit', params: { project, query } }

/** Runs the query in the explorer. */
export const explorerLink = (project: Scope, query?: string): LinkTarget => {
  const search = query === undefined ? {} : { search: { q: query } }
  return project === undefined
    ? { to: '/system/metrics', ...search }
    : { to: '/projects/$project/metrics', params: { project }, ...search }
}
