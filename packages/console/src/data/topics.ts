import { queryOf } from '@gantry/api/client/client'
import { maxTopicProjects, type Topic } from '@gantry/api/extensions.rules'
import { fleetKinds } from '@gantry/api/kind.gen'
import { type QueryRef, named } from './affected.ts'

/** The topics a stream must cover, so that no cached answer goes stale unnoticed. */
export interface Topics {
  topics: ReadonlySet<Topic>
  projects: ReadonlySet<string>
}

const ofFleet: ReadonlySet<string> = new Set(fleetKinds)

/** The topics of queries. Always includes the silo's: they are few, and the frame itself lists projects. */
export function topicsOf(queries: readonly QueryRef[]): Topics {
  const topics = new Set<Topic>(['silo'])
  const projects = new Set<string>()
  for (const query of queries) {
    const project = named(query, 'project')
    if (project !== undefined) projects.add(project)
    for (const kind of query.meta?.reads ?? []) {
      if (kind === 'utilization') topics.add('utilization')
      if (ofFleet.has(kind)) topics.add('fleet')
    }
  }
  return { topics, projects }
}

/** Whether a stream of these topics reports every change that affects a query. */
export function areCovered({ topics, projects }: Topics, query: QueryRef): boolean {
  const needed = topicsOf([query])
  return (
    [...needed.topics].every((topic) => topics.has(topic)) &&
    [...needed.projects].every((project) => projects.has(project))
  )
}

/** The topics as a query string. With too many projects, the stream covers all of them. */
export const topicQuery = ({ topics, projects }: Topics): string =>
  projects.size > maxTopicProjects ? '' : queryOf({ topic: [...topics], project: [...projects] })
