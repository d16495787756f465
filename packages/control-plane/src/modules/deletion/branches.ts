import { diskAllows } from '@gantry/api/storage/disk.rules'
import { instanceAllows } from '@gantry/api/compute/instance.rules'
import type { DeletionFate } from '@gantry/api/history/deletion.rules'
import { instanceSnapshotAllows } from '@gantry/api/storage/instance-snapshot.rules'
import { snapshotAllows } from '@gantry/api/storage/snapshot.rules'
import { type RawBuilder, sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import type { Root } from './root.ts'

type Condition = RawBuilder<unknown>

/** The objects of one kind that go with a deleted one, as rows of alias `t`. Plan and task both follow from it. */
export interface Branch {
  key: string
  kind: string
  from: RawBuilder<unknown>
  /** Those of the root. */
  where: (root: Root) => Condition
  fate: DeletionFate
  /** The kind of what they belong to, where that is a branch too. */
  under?: string
  name?: RawBuilder<unknown>
  /** Names that are none of the caller's business. */
  hasSecretNames?: true
  storage?: RawBuilder<unknown>
  memory?: RawBuilder<unknown>
  /** Those that something is done to first. */
  concerned?: Condition
  /** Those that cannot be deleted in their state, with the words and the way out. */
  stuck?: { where: Condition; state: RawBuilder<unknown>; help: string }
  isProtectable?: true
  /** The task deletes each by a step of its own; the others go with what they belong to. */
  hasStep?: true
}

const among = (states: readonly string[]): Condition => sql`(${sql.join(states)})`

/** The projects of the root: one, or those of a silo. */
const inProjects = ({ kind, id }: Root, column: RawBuilder<unknown> = sql`t.project_id`): Condition =>
  kind === 'silo'
    ? sql`${column} IN (SELECT id FROM project WHERE silo_id = ${id} AND time_deleted IS NULL)`
    : sql`${column} = ${id}`

const inVpcs = (root: Root): Condition =>
  root.kind === 'vpc'
    ? sql`t.vpc_id = ${root.id}`
    : sql`t.vpc_id IN (SELECT v.id FROM vpc v WHERE ${inProjects(root, sql`v.project_id`)} AND v.time_deleted IS NULL)`

const live = sql`t.time_deleted IS NULL`
const liveIn = (root: Root): Condition => sql`${inProjects(root)} AND ${live}`
const liveInVpcs = (root: Root): Condition => sql`${inVpcs(root)} AND ${live}`
const ofSilo = ({ id }: Root): Condition => sql`t.silo_id = ${id} AND ${live}`

const runs = sql`t.run_state NOT IN ${among(instanceAllows.delete)}`

const networkBranches: readonly Branch[] = [
  {
    key: 'vpc-subnet',
    kind: 'vpc-subnet',
    under: 'vpc',
    from: sql`vpc_subnet t`,
    where: liveInVpcs,
    fate: 'deleted',
    hasStep: true,
  },
  {
    key: 'vpc-firewall-rule',
    kind: 'vpc-firewall-rule',
    under: 'vpc',
    from: sql`vpc_firewall_rule t`,
    where: liveInVpcs,
    fate: 'deleted',
  },
  {
    key: 'vpc-router',
    kind: 'vpc-router',
    under: 'vpc',
    from: sql`vpc_router t`,
    where: liveInVpcs,
    fate: 'deleted',
  },
  {
    key: 'internet-gateway',
    kind: 'internet-gateway',
    under: 'vpc',
    from: sql`internet_gateway t`,
    where: liveInVpcs,
    fate: 'deleted',
  },
]

/** In the order of the task: what is in the way of others goes first. */
const projectBranches: readonly Branch[] = [
  {
    key: 'image-upload',
    kind: 'image-upload',
    from: sql`image_upload t`,
    where: (root) =>
      sql`${liveIn(root)} AND t.state IN ('open', 'fetching', 'copying', 'converting', 'completing')`,
    fate: 'deleted',
    storage: sql`t.size`,
    stuck: {
      where: sql`t.state = 'completing'`,
      state: sql`t.state`,
      help: 'Wait until the image is created.',
    },
    hasStep: true,
  },
  {
    key: 'instance',
    kind: 'instance',
    from: sql`instance t`,
    where: liveIn,
    fate: 'stopped_and_deleted',
    memory: sql`t.memory`,
    concerned: runs,
    stuck: {
      where: sql`t.run_state = 'creating'`,
      state: sql`t.run_state`,
      help: 'Wait until it is created.',
    },
    isProtectable: true,
    hasStep: true,
  },
  {
    key: 'external-ip',
    kind: 'external-ip',
    under: 'instance',
    from: sql`external_ip t`,
    where: (root) => sql`t.kind = 'ephemeral' AND ${live} AND t.instance_id IN (
      SELECT i.id FROM instance i WHERE ${inProjects(root, sql`i.project_id`)} AND i.time_deleted IS NULL)`,
    fate: 'freed',
    name: sql`t.ip`,
  },
  {
    key: 'floating-ip',
    kind: 'floating-ip',
    from: sql`external_ip t`,
    where: liveIn,
    fate: 'freed',
    isProtectable: true,
    hasStep: true,
  },
  {
    key: 'external-subnet',
    kind: 'external-subnet',
    from: sql`external_subnet t`,
    where: liveIn,
    fate: 'freed',
    isProtectable: true,
    hasStep: true,
  },
  ...(['affinity', 'anti_affinity'] as const).map((family): Branch => ({
    key: `${family.replace('_', '-')}-group`,
    kind: `${family.replace('_', '-')}-group`,
    from: sql`${sql.table(`${family}_group`)} t`,
    where: liveIn,
    fate: 'deleted',
    hasStep: true,
  })),
  {
    key: 'disk',
    kind: 'disk',
    from: sql`disk t`,
    where: liveIn,
    fate: 'deleted',
    storage: sql`t.size`,
    concerned: sql`t.state = 'attached'`,
    stuck: {
      // The task deletes the instances first, which detaches their disks.
      where: sql`t.state NOT IN ${among([...diskAllows.delete, 'attached'])}`,
      state: sql`t.state`,
      help: 'Wait until its work is done, or finish its import.',
    },
    isProtectable: true,
    hasStep: true,
  },
  {
    key: 'instance-snapshot',
    kind: 'instance-snapshot',
    from: sql`instance_snapshot t`,
    where: liveIn,
    fate: 'deleted',
    storage: sql`t.size`,
    stuck: {
      where: sql`t.state NOT IN ${among(instanceSnapshotAllows.delete)}`,
      state: sql`t.state`,
      help: 'Wait until it is ready.',
    },
    hasStep: true,
  },
  {
    key: 'instance-backup',
    kind: 'instance-backup',
    from: sql`instance_backup t`,
    where: liveIn,
    fate: 'deleted',
    hasStep: true,
  },
  {
    key: 'snapshot',
    kind: 'snapshot',
    from: sql`snapshot t`,
    // Those of an instance snapshot go with it.
    where: (root) => sql`${liveIn(root)} AND t.instance_snapshot_id IS NULL`,
    fate: 'deleted',
    storage: sql`t.size`,
    stuck: {
      where: sql`t.state NOT IN ${among(snapshotAllows.delete)}`,
      state: sql`t.state`,
      help: 'Wait until it is ready.',
    },
    hasStep: true,
  },
  {
    key: 'image',
    kind: 'image',
    from: sql`image t`,
    where: liveIn,
    fate: 'deleted',
    storage: sql`t.size`,
    isProtectable: true,
    hasStep: true,
  },
  ...networkBranches,
  {
    key: 'vpc',
    kind: 'vpc',
    from: sql`vpc t`,
    where: liveIn,
    fate: 'deleted',
    isProtectable: true,
    hasStep: true,
  },
  {
    key: 'metric-query',
    kind: 'metric-query',
    from: sql`metric_query t`,
    where: liveIn,
    fate: 'deleted',
  },
  {
    key: 'schedule',
    kind: 'schedule',
    from: sql`schedule t`,
    where: liveIn,
    fate: 'deleted',
  },
  {
    key: 'shared-view',
    kind: 'shared-view',
    from: sql`shared_view t`,
    where: liveIn,
    fate: 'deleted',
  },
  {
    key: 'instance-template',
    kind: 'instance-template',
    from: sql`instance_template t`,
    where: liveIn,
    fate: 'deleted',
  },
  {
    key: 'service-account',
    kind: 'service-account',
    from: sql`service_account t`,
    where: liveIn,
    fate: 'deleted',
  },
]

const probes: Branch = {
  key: 'probe',
  kind: 'probe',
  from: sql`probe t`,
  where: liveIn,
  fate: 'deleted',
  hasStep: true,
}

const roles: Branch = {
  key: 'policy',
  kind: 'policy',
  from: sql`(
    SELECT r.identity_id AS id, coalesce(u.external_id, g.external_id) AS name, r.resource_id, r.role_name
    FROM role_assignment r LEFT JOIN silo_user u ON u.id = r.identity_id LEFT JOIN silo_group g ON g.id = r.identity_id
    WHERE r.resource_type = 'project') t`,
  where: (root) => inProjects(root, sql`t.resource_id`),
  fate: 'deleted',
}

const siloBranches: readonly Branch[] = [
  {
    key: 'silo-image',
    kind: 'image',
    from: sql`image t`,
    where: ({ id }) => sql`t.silo_id = ${id} AND t.project_id IS NULL AND ${live}`,
    fate: 'deleted',
    storage: sql`t.size`,
    isProtectable: true,
  },
  ...(['silo_user', 'silo_group', 'saml_identity_provider', 'certificate'] as const).map((table): Branch => ({
    key: table.replaceAll('_', '-'),
    kind: table.replaceAll('_', '-'),
    from: sql`${sql.table(table)} t`,
    where: ofSilo,
    fate: 'deleted',
    ...(table.startsWith('silo_') && { name: sql`t.external_id` }),
  })),
  {
    key: 'ip-pool',
    kind: 'ip-pool',
    from: sql`(SELECT p.id, p.name, l.silo_id FROM ip_pool_silo l JOIN ip_pool p ON p.id = l.ip_pool_id) t`,
    where: ({ id }) => sql`t.silo_id = ${id}`,
    fate: 'unlinked',
  },
  {
    key: 'subnet-pool',
    kind: 'subnet-pool',
    from: sql`(SELECT p.id, p.name, l.silo_id FROM subnet_pool_silo l JOIN subnet_pool p ON p.id = l.subnet_pool_id) t`,
    where: ({ id }) => sql`t.silo_id = ${id}`,
    fate: 'unlinked',
  },
]

const projects: Branch = {
  key: 'project',
  kind: 'project',
  from: sql`project t`,
  where: ofSilo,
  fate: 'deleted',
  isProtectable: true,
  hasStep: true,
}

const poolBranches: readonly Branch[] = [
  {
    key: 'ip-pool-range',
    kind: 'ip-pool-range',
    from: sql`ip_pool_range t`,
    where: ({ id }) => sql`t.ip_pool_id = ${id}`,
    fate: 'deleted',
    name: sql`t.first_ip || '-' || t.last_ip`,
    hasStep: true,
  },
  {
    key: 'silo',
    kind: 'silo',
    from: sql`(SELECT s.id, s.name, l.ip_pool_id FROM ip_pool_silo l JOIN silo s ON s.id = l.silo_id) t`,
    where: ({ id }) => sql`t.ip_pool_id = ${id}`,
    fate: 'unlinked',
  },
  {
    key: 'internet-gateway-ip-pool',
    kind: 'internet-gateway-ip-pool',
    from: sql`internet_gateway_ip_pool t`,
    where: ({ id }) => sql`t.ip_pool_id = ${id} AND ${live}`,
    fate: 'unlinked',
    hasSecretNames: true,
  },
]

const imageBranches: readonly Branch[] = [
  {
    key: 'disk',
    kind: 'disk',
    from: sql`disk t`,
    where: ({ id }) => sql`t.image_id = ${id} AND ${live}`,
    fate: 'kept',
    storage: sql`t.size`,
  },
]

/** Whether the caller may delete the projects of a silo: not an operator of another one. */
export const deletesProjects = (cx: Cx, { kind, id }: Root): boolean =>
  kind !== 'silo' ||
  (cx.actor.kind === 'silo_user' &&
    cx.actor.silo_id === id &&
    cx.can('modify', { class: 'project', silo_id: id }))

/** Whether the caller sees the probes of a project, and may delete them. */
const deletesProbes = (cx: Cx, { kind, id }: Root): boolean =>
  cx.actor.kind === 'silo_user' &&
  cx.can('modify', {
    class: 'probe',
    silo_id: cx.actor.silo_id,
    ...(kind === 'project' && { project_id: id }),
  })

/** What goes with the object, in the order in which the task deletes it. */
export function branchesOf(cx: Cx, root: Root): readonly Branch[] {
  const inside = [...(deletesProbes(cx, root) ? [probes] : []), ...projectBranches, roles]
  switch (root.kind) {
    case 'project':
      return inside
    case 'silo':
      return deletesProjects(cx, root)
        ? [...inside.map((branch) => ({ under: 'project', ...branch })), projects, ...siloBranches]
        : siloBranches
    case 'vpc':
      return networkBranches.map(({ under: _under, ...branch }) => branch)
    case 'ip-pool':
      return poolBranches
    case 'image':
      return imageBranches
    default:
      return root.kind satisfies never
  }
}
