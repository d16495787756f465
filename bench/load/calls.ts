import { type RawBuilder, sql } from 'kysely'
import { fleet, vastName } from '../fill.ts'
import type { Call } from './clients.ts'

/** A call as clients make it, and the query that any server needs to answer it. */
export interface Measured {
  name: string
  calls: Call[]
  bare: (round: number) => RawBuilder<unknown>
}

/** Ids that calls need, taken from lists as a client would. */
export interface CallIds {
  vastId: string
  instanceId: string
  userId: string
  siloId: string
}

const rounds = 400
const page = 50
const anyInstance = (round: number): string => vastName((round * 7919) % fleet.vast)
const anyProject = (round: number): string =>
  `project-${String((round * 37) % fleet.projects).padStart(4, '0')}`

const gets = (path: (round: number) => string): Call[] =>
  Array.from({ length: rounds }, (_, round) => ({ method: 'GET', path: path(round) }))

const live = sql`t.time_deleted IS NULL`
const inVast = (table: string, { vastId }: CallIds, more: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`SELECT t.* FROM ${sql.table(table)} t WHERE ${live} AND t.project_id = ${vastId} ${more}`

/** The most frequent requests of console and API clients, in a very large project. */
export function reads(ids: CallIds, deepPages: readonly string[]): Measured[] {
  const { vastId, instanceId, userId, siloId } = ids
  const instance = (part: string) =>
    gets((round) => `/v1/instances/${anyInstance(round)}${part}?project=vast`)
  const ofInstance = (table: string) => () =>
    sql`SELECT t.* FROM ${sql.table(table)} t WHERE ${live} AND t.instance_id = ${instanceId}`
  const byName = (column: string) => (round: number) =>
    inVast('instance', ids, sql`AND t.name > ${anyInstance(round)} ORDER BY ${sql.ref(column)} LIMIT ${page}`)
  const checks = ['create_child', 'modify', 'read', 'list_children'].flatMap((action) => [
    { action, object: 'silo' },
    { action, object: 'project', id: 'vast' },
    { action, object: 'fleet' },
  ])
  return [
    {
      name: 'who am I',
      calls: gets(() => '/v1/me'),
      bare: () => sql`SELECT * FROM silo_user WHERE id = ${userId}`,
    },
    {
      name: 'permissions, 12 checks',
      calls: [{ method: 'POST', path: '/ext/v1/can', body: { checks } }],
      bare: () => sql`SELECT r.* FROM role_assignment r WHERE r.identity_id = ANY (${userId}::uuid ||
        ARRAY(SELECT silo_group_id FROM silo_group_membership WHERE silo_user_id = ${userId}))`,
    },
    {
      name: 'my sessions',
      calls: gets(() => '/ext/v1/me/sessions'),
      bare: () => sql`SELECT * FROM console_session WHERE silo_user_id = ${userId}`,
    },
    {
      name: 'projects',
      calls: gets(() => `/v1/projects?limit=${page}`),
      bare: () =>
        sql`SELECT t.* FROM project t WHERE ${live} AND t.silo_id = ${siloId} ORDER BY t.name LIMIT ${page}`,
    },
    {
      name: 'project',
      calls: gets((round) => `/v1/projects/${anyProject(round)}`),
      bare: (round) =>
        sql`SELECT t.* FROM project t WHERE ${live} AND t.silo_id = ${siloId} AND t.name = ${anyProject(round)}`,
    },
    {
      name: 'policy of a project',
      calls: gets(() => '/v1/projects/vast/policy'),
      bare: () =>
        sql`SELECT * FROM role_assignment WHERE resource_type = 'project' AND resource_id = ${vastId}`,
    },
    {
      name: 'instances, first page',
      calls: gets(() => `/v1/instances?project=vast&limit=${page}`),
      bare: () => inVast('instance', ids, sql`ORDER BY t.name LIMIT ${page}`),
    },
    {
      name: 'instances, page in the middle',
      calls: deepPages.map((path) => ({ method: 'GET', path })),
      bare: byName('t.name'),
    },
    {
      name: 'instances, newest first',
      calls: gets(() => `/ext/v1/instances?project=vast&limit=${page}&sort_by=time_created_descending`),
      bare: () => inVast('instance', ids, sql`ORDER BY t.time_created DESC, t.id DESC LIMIT ${page}`),
    },
    {
      name: 'instances, by part of a name',
      calls: gets((round) => `/ext/v1/instances?project=vast&limit=${page}&name=${1000 + (round % 9000)}`),
      bare: (round) =>
        inVast(
          'instance',
          ids,
          sql`AND t.name LIKE ${`%${1000 + (round % 9000)}%`} ORDER BY t.name, t.id LIMIT ${page}`,
        ),
    },
    {
      name: 'instance',
      calls: instance(''),
      bare: (round) => inVast('instance', ids, sql`AND t.name = ${anyInstance(round)}`),
    },
    { name: 'disks of an instance', calls: instance('/disks'), bare: ofInstance('disk') },
    {
      name: 'interfaces of an instance',
      calls: gets((round) => `/v1/network-interfaces?project=vast&instance=${anyInstance(round)}`),
      bare: ofInstance('network_interface'),
    },
    { name: 'addresses of an instance', calls: instance('/external-ips'), bare: ofInstance('external_ip') },
    {
      name: 'disks',
      calls: gets(() => `/v1/disks?project=vast&limit=${page}`),
      bare: () => inVast('disk', ids, sql`ORDER BY t.name LIMIT ${page}`),
    },
    {
      name: 'floating IPs',
      calls: gets(() => `/v1/floating-ips?project=vast&limit=${page}`),
      bare: () => inVast('external_ip', ids, sql`AND t.kind = 'floating' ORDER BY t.name LIMIT ${page}`),
    },
    {
      name: 'images',
      calls: gets(() => `/v1/images?project=vast&limit=${page}`),
      bare: () =>
        sql`SELECT t.* FROM image t WHERE ${live} AND t.silo_id = ${siloId} ORDER BY t.name LIMIT ${page}`,
    },
    {
      name: 'VPCs',
      calls: gets(() => `/v1/vpcs?project=vast&limit=${page}`),
      bare: () => inVast('vpc', ids, sql`ORDER BY t.name LIMIT ${page}`),
    },
    {
      name: 'firewall rules',
      calls: gets(() => '/v1/vpc-firewall-rules?project=vast&vpc=default'),
      bare: () => sql`SELECT t.* FROM vpc_firewall_rule t JOIN vpc ON vpc.id = t.vpc_id
        WHERE ${live} AND vpc.project_id = ${vastId} ORDER BY t.name`,
    },
    {
      name: 'utilization',
      calls: gets(() => '/v1/utilization'),
      bare: () =>
        sql`SELECT * FROM provisioning p JOIN silo_quotas q ON q.silo_id = p.id WHERE p.id = ${siloId}`,
    },
    {
      name: 'users',
      calls: gets(() => `/v1/users?limit=${page}`),
      bare: () =>
        sql`SELECT t.* FROM silo_user t WHERE ${live} AND t.silo_id = ${siloId} ORDER BY t.id LIMIT ${page}`,
    },
    {
      name: 'users with groups and roles',
      calls: gets(() => `/ext/v1/users?limit=${page}`),
      bare: () =>
        sql`SELECT t.* FROM silo_user t WHERE ${live} AND t.silo_id = ${siloId} ORDER BY t.external_id LIMIT ${page}`,
    },
    {
      name: 'search of the palette',
      calls: gets((round) => `/ext/v1/search?text=${vastName((round * 7919) % fleet.vast).slice(0, -2)}`),
      bare: (round) =>
        inVast(
          'instance',
          ids,
          sql`AND t.name LIKE ${`%${vastName((round * 7919) % fleet.vast).slice(0, -2)}%`} ORDER BY t.name LIMIT 20`,
        ),
    },
  ]
}
