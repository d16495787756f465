import { createStore } from '#/store.ts'

/** Kinds with a page of their own, by their words, and where in a path their names are. */
const places = [
  ['instance', /^\/projects\/([^/]+)\/instances\/([^/]+)/],
  ['vpc', /^\/projects\/([^/]+)\/vpcs\/([^/]+)/],
  ['disk', /^\/projects\/([^/]+)\/disks\/([^/]+)/],
  ['snapshot', /^\/projects\/([^/]+)\/snapshots\/([^/]+)/],
  ['instance-snapshot', /^\/projects\/([^/]+)\/instance-snapshots\/([^/]+)/],
  ['image', /^\/projects\/([^/]+)\/images\/([^/]+)/],
  ['floating-ip', /^\/projects\/([^/]+)\/floating-ips\/([^/]+)/],
  ['external-subnet', /^\/projects\/([^/]+)\/external-subnets\/([^/]+)/],
  ['project', /^\/projects\/()([^/]+)/],
  ['image', /^\/images\/()([^/]+)/],
  ['silo', /^\/system\/silos\/()([^/]+)/],
  ['ip-pool', /^\/system\/networking\/ip-pools\/()([^/]+)/],
] as const

/** An object that has been opened, by its names. */
export interface RecentObject {
  kind: (typeof places)[number][0]
  name: string
  /** Null for what is in none. */
  project: string | null
  /** When it was opened last, in milliseconds since 1970. */
  at: number
}

/** The object whose page a path is, or is about. */
export function objectAt(path: string): Omit<RecentObject, 'at'> | undefined {
  for (const [kind, pattern] of places) {
    const [, project = '', name = ''] = pattern.exec(path) ?? []
    if (name !== '')
      return { kind, name: decodeURIComponent(name), project: project ? decodeURIComponent(project) : null }
  }
  return undefined
}

const kept = 20

/** What the user opened, the latest first; kept in this browser, for each user apart. */
export const recentObjects = createStore<readonly RecentObject[]>([])
let key: string | undefined

export function recentOf(userId: string): void {
  const own = `recent:${userId}`
  if (key === own) return
  key = own
  recentObjects.set(stored(own))
}

function stored(own: string): readonly RecentObject[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(own) ?? '[]')
    return Array.isArray(read) ? (read as unknown[]).filter(isRecent).slice(0, kept) : []
  } catch {
    // What is there is not what was written: it begins anew.
    return []
  }
}

const isRecent = (value: unknown): value is RecentObject => {
  const { kind, name, project, at } = (value ?? {}) as Partial<RecentObject>
  return (
    places.some(([known]) => known === kind) &&
    typeof name === 'string' &&
    (project === null || typeof project === 'string') &&
    typeof at === 'number'
  )
}

const same = (one: Omit<RecentObject, 'at'>, other: Omit<RecentObject, 'at'>): boolean =>
  one.kind === other.kind && one.name === other.name && one.project === other.project

/** Remembers that a page was opened, if it is an object's. */
export function opened(path: string, now = Date.now()): void {
  const object = objectAt(path)
  if (!object || key === undefined) return
  const next = [{ ...object, at: now }, ...recentObjects.get().filter((each) => !same(each, object))].slice(
    0,
    kept,
  )
  recentObjects.set(next)
  try {
    localStorage.setItem(key, JSON.stringify(next))
  } catch {
    // A full or forbidden storage: they are kept while the page is open.
  }
}
