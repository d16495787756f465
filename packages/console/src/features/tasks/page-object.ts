import { objectAt, type RecentObject } from '#/kit/page/recent-objects.ts'
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
  kind: (typeof places)[number][0] | RecentObject['kind']
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

/** Where its tasks are: found in its project, or else among the fleet's. A silo's images have none. */
export function tasksScopeOf({ kind, name, project }: PageObject): TaskScope | undefined {
  if (project !== null || kind === 'project') {
    const objectKind = kind as NonNullable<TaskScope['object']>['objectKind']
    return { isMine: false, place: { project: project ?? name }, object: { objectKind, object: name } }
  }
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

/** Whether a page shows a task that was found for its object, or among the fleet's. */
export const isShown =
  ({ kind, name, project }: PageObject) =>
  (task: Pick<Task, 'kind' | 'object' | 'count'>): boolean => {
    const isOwn =
      task.count === 1 && task.object.kind === kind && (task.object.name === name || task.object.id === name)
    const isFound = project !== null || kind === 'project'
    return isOwn ? !shownByPage.has(task.kind) : isFound
  }
