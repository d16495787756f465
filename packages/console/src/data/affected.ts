import { camelKey } from '@gantry/api/client/camel'
import type { LooseInput } from '@gantry/api/client/client'
import type { ChangeEvent } from '@gantry/api/extensions'
import { isUuid } from '@gantry/api/base/name.rules'
import { selectorOf } from '@gantry/api/base/selectors.rules'
import type { QueryKey, QueryMeta } from '@tanstack/react-query'
import { session } from './session.ts'

/** A change as the stream reports it. A server of another version may omit fields. */
export type Change = Pick<ChangeEvent, 'kind' | 'op' | 'id' | 'name' | 'project_id' | 'spread_ms'>

export interface QueryRef {
  queryKey: QueryKey
  meta?: QueryMeta | undefined
}

/** The value a query gives for a selector, in its path or its parameters. */
export function named({ queryKey }: QueryRef, selector: string): string | undefined {
  const { path, query } = (queryKey[1] ?? {}) as LooseInput
  const value = path?.[selector] ?? query?.[selector]
  return typeof value === 'string' ? value : undefined
}

/** Operations that answer for the signed-in user only. Changes to other users do not affect them. */
const ownOperations: ReadonlySet<unknown> = new Set([
  'permissionCheck',
  'currentUserView',
  'currentUserGroups',
])

interface Check {
  object: string
  id?: string | null
}

/**
 * Whether a change can alter the answer to a query: the answer contains such objects, in that project, and names no
 * other object. True where the query is not specific enough to tell. `projects` holds project ids by name.
 */
export function isAffected(
  query: QueryRef & { state: { data: unknown } },
  change: Change,
  projects: ReadonlyMap<string, string>,
): boolean {
  const { kind, id, name, project_id } = change
  const [operation, input] = query.queryKey
  if (!query.meta?.reads?.includes(kind)) return false
  if (kind === 'silo-user' && ownOperations.has(operation)) return id === session.user()?.id
  const isElsewhere = (project: string): boolean =>
    project !== project_id && (isUuid(project) || (projects.get(project) ?? project_id) !== project_id)
  if (kind === 'policy' && project_id && ownOperations.has(operation))
    // A role on a project also applies to the project's resources.
    return [input].flat().some((check) => {
      const { object, id: checked } = (check ?? {}) as Partial<Check>
      return object === 'project' && !isElsewhere(checked ?? '')
    })
  const project = named(query, 'project')
  if (project !== undefined && project_id && kind !== 'project' && isElsewhere(project)) return false
  const selector = selectorOf[kind]
  const object = selector && named(query, camelKey(selector))
  if (object === undefined || object === '' || name === null) return true
  return object === id || object === name || projects.get(object) === id || idOf(query.state.data) === id
}

const idOf = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined
