import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import { type LookUp, readOne } from '../authz/proven-reads.ts'
import type { Cx } from '../context/cx.ts'
import { type KindName, kinds } from './kinds.ts'
import { type FoundRow, recentProject, recentProjects } from './recent-projects.ts'

export type Selectors = Readonly<Record<string, string | null | undefined>>

/** The kind within which a name is looked up, unless the fleet, a silo or a user is the direct parent. */
export function containerOf(table: KindName, at: Selectors): KindName | undefined {
  const { parent, orProject, selector } = kinds[table]
  if (orProject) return at.project && !isUuid(at[selector] ?? '') ? 'project' : undefined
  return parent === 'fleet' || parent === 'silo' || parent === 'silo_user' ? undefined : parent
}

/** One table on the path from the object to its root, with the request's name or id for it. */
interface Step {
  table: KindName
  by?: 'id' | 'name'
}
/** The column of the last step that restricts the search to one silo or one user. */
type Boundary = 'silo_id' | 'silo_user_id'

/**
 * One query walks up to the project, so that a look-up costs one round trip however deep the object is.
 * `siloId` is the silo that the request names; the default is the caller's own.
 */
export async function find(
  cx: Cx,
  table: KindName,
  at: Selectors,
  siloId?: string,
): Promise<FoundRow | undefined> {
  const wanted = at[kinds[table].selector]
  // Without a selector, the conditions would match any row of the table.
  if (!wanted) return undefined
  const seen = table === 'project' && siloId === undefined && recentProject(cx, wanted)
  if (seen) return seen
  const steps: Step[] = []
  const bound: string[] = []
  let isAddressed = true
  for (let name: KindName | undefined = table; name; name = containerOf(name, at)) {
    const selector: string | null | undefined = isAddressed ? at[kinds[name].selector] : undefined
    const by: Step['by'] = selector ? (isUuid(selector) ? 'id' : 'name') : undefined
    if (selector) bound.push(by === 'id' ? canonicalUuid(selector) : selector)
    // An id needs no parent.
    isAddressed = by === 'name'
    steps.push(by ? { table: name, by } : { table: name })
  }
  const [boundary, value] = boundaryOf(cx, steps.at(-1) ?? { table }, siloId) ?? []
  if (value !== undefined) bound.push(value)
  const shape = steps.map(({ table, by }) => `${table} ${by ?? ''}`).join() + (boundary ?? '')
  const found = await readOne<FoundRow>(cx, shape, bound, () => lookUpOf(steps, boundary))
  if (table === 'project' && boundary && value !== undefined)
    recentProjects(cx.services).keep(value, wanted, found)
  return found
}

function boundaryOf({ actor }: Cx, root: Step, siloId: string | undefined): [Boundary, string] | undefined {
  const { parent, everySilo } = kinds[root.table]
  if (parent === 'silo' && siloId !== undefined) return ['silo_id', siloId]
  if (actor.kind !== 'silo_user' || parent === 'fleet') return undefined
  if (parent === 'silo_user') return ['silo_user_id', actor.user_id]
  return everySilo && root.by === 'id' ? undefined : ['silo_id', actor.silo_id]
}

function lookUpOf(steps: readonly Step[], boundary: Boundary | undefined): LookUp {
  const root = `t${steps.length - 1}`
  const joins: string[] = []
  const wheres: string[] = []
  let count = 0
  for (const [depth, { table, by }] of steps.entries()) {
    wheres.push(`t${depth}.time_deleted IS NULL`)
    if (by) wheres.push(`t${depth}.${by} = $${++count}`)
    const above = steps[depth + 1]?.table
    if (above) joins.push(`JOIN ${above} t${depth + 1} ON t${depth + 1}.id = t${depth}.${above}_id`)
    else if (kinds[table].orProject && by === 'name') wheres.push(`t${depth}.project_id IS NULL`)
  }
  if (boundary) wheres.push(`${root}.${boundary} = $${++count}`)
  const { silo, project } = placeColumns(steps.at(-1)?.table, root)
  const path = [`${steps[0]?.table} t0`, ...joins].join(' ')
  return {
    columns: `t0.*, ${silo} AS "~silo_id", ${project} AS "~project_id"`,
    from: joins.length > 0 ? `(${path})` : path,
    where: wheres.join(' AND '),
  }
}

/** Where the last table on the path has its silo and project. */
function placeColumns(table: KindName | undefined, root: string): { silo: string; project: string } {
  if (table === 'project') return { silo: `${root}.silo_id`, project: `${root}.id` }
  if (table === 'silo') return { silo: `${root}.id`, project: 'NULL' }
  const { parent, orProject } = kinds[table ?? 'silo']
  return {
    silo: parent === 'silo' || orProject ? `${root}.silo_id` : 'NULL',
    project: orProject ? `${root}.project_id` : 'NULL',
  }
}
