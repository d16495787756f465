import { objectAt } from '#/kit/page/recent-objects.ts'
import type { TaskScope } from './panel-queries.ts'
import type { Task } from './queries.ts'

/** Pages that are not kept among what the user opened; those of the fleet have ids in their paths. */
const places = [
  ['schedule', /^\/projects\/([^/]+)\/schedules\/([^/]+)/],
  ['sled', /^\/system\/inventory\/sleds\/()([^/]+)/],
  ['support-bundle', /^\/system\/support-bundles\/()([^/]+)/],
] as const

/** An object by the names or ids in the path of its page. */
interface PageObject {
  kind: string
  name: string
  project: string | null
}

/** The object of a page. */
export function pageObject(path: string): PageObject | undefined {
  for (const [kind, pattern] of places) {
    const [, project = '', name = ''] = pattern.exec(path) ?? []
    if (name !== '')
      return { kind, name: decodeURIComponent(name), project: decodeURIComponent(project) || null }
  }
  return objectAt(path)
}

/** Where its tasks are: in its project, or else with the fleet's. A silo's images have none. */
export function tasksScopeOf({ kind, name, project }: PageObject): TaskScope | undefined {
  if (project !== null) return { isMine: false, place: { project } }
  if (kind === 'project') return { isMine: false, place: { project: name } }
  return kind === 'image' ? undefined : { isMine: false, place: 'system' }
}

/** Work that the object's own page shows, as soon as its state changes or a drain begins. */
const shownByPage: ReadonlySet<string> = new Set([
  'instance',
  'disk',
  'snapshot',
  'instance-snapshot',
  'sled-drain',
])

export const isAbout =
  ({ kind, name, project }: PageObject) =>
  (task: Pick<Task, 'kind' | 'object' | 'project' | 'count'>): boolean =>
    !shownByPage.has(task.kind) &&
    task.count === 1 &&
    task.object.kind === kind &&
    (task.object.name === name || task.object.id === name) &&
    (project === null || task.project?.name === project)
