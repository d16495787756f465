import { sql } from 'kysely'
import type { TrackedName } from '../db/tables.ts'
import type { Settings } from '../settings.ts'
import type { Tx } from './cx.ts'
import { insufficient, type Refusal } from './refusal.ts'

type Limited = keyof Settings['limits']['rows']
type Parent = readonly [column: string, word: string]

const ofProject: Parent = ['project_id', 'project']
const ofSilo: Parent = ['silo_id', 'silo']
const ofVpc: Parent = ['vpc_id', 'VPC']

/**
 * What each kind is counted within. Quotas count what runs and what is stored; these limits are for rows that cost
 * nothing by a quota, such as stopped instances, so that nobody can fill the database with them.
 */
const parents: Partial<Record<TrackedName, { limit: Limited; words: string; within: readonly Parent[] }>> = {
  project: { limit: 'project', words: 'projects', within: [ofSilo] },
  silo_user: { limit: 'silo_user', words: 'users', within: [ofSilo] },
  silo_group: { limit: 'silo_group', words: 'groups', within: [ofSilo] },
  certificate: { limit: 'certificate', words: 'certificates', within: [ofSilo] },
  saml_identity_provider: {
    limit: 'saml_identity_provider',
    words: 'identity providers',
    within: [ofSilo],
  },
  ssh_key: { limit: 'ssh_key', words: 'SSH keys', within: [['silo_user_id', 'user']] },
  instance: { limit: 'instance', words: 'instances', within: [ofProject] },
  disk: { limit: 'disk', words: 'disks', within: [ofProject] },
  snapshot: { limit: 'snapshot', words: 'snapshots', within: [ofProject] },
  // An image without a project is the silo's.
  image: { limit: 'image', words: 'images', within: [ofProject, ofSilo] },
  image_upload: { limit: 'image_upload', words: 'image uploads', within: [ofProject] },
  external_ip: { limit: 'floating_ip', words: 'floating IPs', within: [ofProject] },
  affinity_group: { limit: 'affinity_group', words: 'affinity groups', within: [ofProject] },
  anti_affinity_group: { limit: 'anti_affinity_group', words: 'anti-affinity groups', within: [ofProject] },
  vpc: { limit: 'vpc', words: 'VPCs', within: [ofProject] },
  vpc_subnet: { limit: 'vpc_subnet', words: 'subnets', within: [ofVpc] },
  vpc_router: { limit: 'vpc_router', words: 'routers', within: [ofVpc] },
  internet_gateway: { limit: 'internet_gateway', words: 'internet gateways', within: [ofVpc] },
  router_route: { limit: 'router_route', words: 'routes', within: [['vpc_router_id', 'router']] },
}

/**
 * Refuses one more row where its parent has as many as it may. Those who create at the same moment may each find the
 * last place free: the limit keeps the database small, and is no quota.
 */
export async function refuseTooManyRows(
  tx: Tx,
  { limits }: Settings,
  table: TrackedName,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const rule = parents[table]
  const parent = rule?.within.find(([column]) => typeof row[column] === 'string')
  if (!rule || !parent) return
  const [column, word] = parent
  const limit = limits.rows[rule.limit]
  const { rows } = await sql`
    SELECT 1 FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${row[column]} AND time_deleted IS NULL
    OFFSET ${limit - 1} LIMIT 1`.execute(tx)
  if (rows.length > 0)
    throw tooManyRows(word, { limit, words: rule.words, setting: `limits.rows.${rule.limit}` })
}

/** `setting` is the one that an operator raises to allow more. */
export const tooManyRows = (
  word: string,
  { limit, words, setting }: { limit: number; words: string; setting: string },
): Refusal =>
  insufficient(`the ${word} already has the maximum of ${limit} ${words}`, {
    help: `Delete some first, or ask the operator to raise the setting ${setting}.`,
  })
