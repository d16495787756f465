import { queryOf } from '@gantry/api/client/client'
import { maxTopicProjects, type Topic } from '@gantry/api/extensions.rules'
import { type Asked, named } from './affected.ts'

/** What a stream has to cover, so that no answer in the cache grows old unnoticed. */
export interface Topics {
  topics: ReadonlySet<Topic>
  projects: ReadonlySet<string>
}

const fleetKinds: ReadonlySet<string> = new Set([
  'switch',
  'sled',
  'sled-drain',
  'physical-disk',
  'fault',
  'ip-pool',
  'silo-quotas',
])

/** The topics of queries. Those of the silo are always among them: they are few, and the frame itself shows projects. */
export function topicsOf(queries: readonly Asked[]): Topics {
  const topics = new Set<Topic>(['silo'])
  const projects = new Set<string>()
  for (const query of queries) {
    const project = named(query, 'project')
    if (project !== undefined) projects.add(project)
    for (const kind of query.meta?.reads ?? []) {
      if (kind === 'utilization') topics.add('utilization')
      if (fleetKinds.has(kind)) topics.add('fleet')
    }
  }
  return { topics, projects }
}

/** Whether a stream of some topics tells of everything that a query is made of. */
export function areCovered({ topics, projects }: Topics, query: Asked): boolean {
  const wanted = topicsOf([query])
  return (
    [...wanted.topics].every((topic) => topics.has(topic)) &&
    [...wanted.projects].every((project) => projects.has(project))
  )
}

/** The topics as a query string; too many projects are followed as everything. */
export const topicQuery = ({ topics, projects }: Topics): string =>
  projects.size > maxTopicProjects ? '' : queryOf({ topic: [...topics], project: [...projects] })
