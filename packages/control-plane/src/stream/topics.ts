import type { Topic } from '@gantry/api/extensions.rules'
import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import type { SiloUser } from '../authz/actor.ts'
import { permits } from '../authz/policy.ts'
import { isAbout, ownerOf } from './audience.ts'
import type { Services } from '../context/services.ts'
import type { Published } from './publisher.ts'

/** A listener's subscription. It narrows what the listener may see, and never widens it. */
export interface TopicFilter {
  topics: ReadonlySet<Topic>
  /** Names as given by the listener: a project that gets one of them later joins the topics from then on. */
  names: ReadonlySet<string>
  projects: Set<string>
}

/** Undefined for a listener without topics, which receives everything. */
export async function topicFilter(
  { db }: Pick<Services, 'db'>,
  { silo_id }: SiloUser,
  asked: { topic?: readonly Topic[] | null | undefined; project?: readonly string[] | null | undefined },
): Promise<TopicFilter | undefined> {
  if (!asked.topic && !asked.project) return undefined
  const given = asked.project ?? []
  const names = new Set(given.filter((text) => !isUuid(text)))
  const projects = new Set(given.filter(isUuid).map(canonicalUuid))
  if (names.size > 0) {
    const rows = await db
      .selectFrom('project')
      .select('id')
      .where('silo_id', '=', silo_id)
      .where('time_deleted', 'is', null)
      .where('name', 'in', [...names])
      .execute()
    for (const { id } of rows) projects.add(id)
  }
  return { topics: new Set(asked.topic ?? []), names, projects }
}

/**
 * The names and ids of the filter's projects that the listener may read, so that it can tell their events
 * apart.
 */
export async function readableProjects(
  { db }: Pick<Services, 'db'>,
  actor: SiloUser,
  { projects }: TopicFilter,
): Promise<Record<string, string>> {
  const readable = [...projects].filter((project_id) =>
    permits(actor, 'read', { class: 'project', silo_id: actor.silo_id, project_id }),
  )
  if (readable.length === 0) return {}
  const rows = await db
    .selectFrom('project')
    .select(['id', 'name'])
    .where('silo_id', '=', actor.silo_id)
    .where('id', 'in', readable)
    .execute()
  return Object.fromEntries(rows.map(({ id, name }) => [name, id]))
}

/** Whether an event belongs to the listener's topics, or to the listener. */
export function covers(filter: TopicFilter, actor: SiloUser, event: Published): boolean {
  const { topics, names, projects } = filter
  const { kind, id, name, silo_id, project_id } = event
  if (isAbout(actor, event) || ownerOf(event) === actor.user_id) return true
  if (kind === 'project') {
    if (silo_id === actor.silo_id && name !== null && names.has(name)) projects.add(id)
    return topics.has('silo') || projects.has(id)
  }
  if (kind === 'policy') return project_id === null || topics.has('silo') || projects.has(project_id)
  if (silo_id === null) return topics.has('fleet')
  if (kind === 'utilization') return topics.has('utilization')
  return project_id === null ? topics.has('silo') : projects.has(project_id)
}
