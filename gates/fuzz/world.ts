import { createHash } from 'node:crypto'
import { kinds } from '@gantry/control-plane/lookup/kinds'
import type { TestBed } from '@gantry/control-plane/testing/control-plane'
import { sql } from 'kysely'
import type { Role } from './people.ts'

/** An existing object: how it is addressed, and where it belongs. */
export interface Thing {
  table: string
  id: string
  name: string | undefined
  silo_id: string | undefined
  project_id: string | undefined
  owner_id: string | undefined
  /** Other projects that show it: where an image was created, or where a key grants access. */
  shownIn: string[]
  /** Its parents, by the parameter that names them. */
  parents: Readonly<Record<string, Thing>>
  /** Texts that occur nowhere else: callers who may not see it must not read them. */
  words: readonly string[]
}

type Line = Record<string, unknown> & { id: string }

/** No operation names their rows, or others than the fleet's users may read some. */
const left = new Set<string>(['audit', 'bfd_session', 'ip_pool_range', 'subnet_pool_member'])
/** Rows without a kind of their own that operations name. */
const ofSilos = ['instance_action', 'deletion', 'restoration', 'recycled']
const ofFleet = ['sled_drain', 'webhook_secret', 'alert', 'fault']
const tables = [...Object.keys(kinds).filter((table) => !left.has(table)), ...ofSilos, ...ofFleet]

/** Linked to silos, whose users may see them. */
const isPool = (table: string): boolean => table === 'ip_pool' || table === 'subnet_pool'

/** Their rows belong to the fleet alone. */
const fleetTables = new Set<string>([
  ...Object.entries(kinds)
    .filter(([table, { parent, orProject }]) => parent === 'fleet' && !orProject && !left.has(table))
    .map(([table]) => table)
    .filter((table) => table !== 'silo' && !isPool(table)),
  ...ofFleet,
])

/** The parent of a row by its column: the parameter and the table. */
const parentColumns: Readonly<Record<string, readonly [parameter: string, table: string]>> = {
  silo_id: ['silo', 'silo'],
  project_id: ['project', 'project'],
  vpc_id: ['vpc', 'vpc'],
  vpc_router_id: ['router', 'vpc_router'],
  internet_gateway_id: ['gateway', 'internet_gateway'],
}
const ownNames = /[a-z]+-[a-z0-9]{10}$/

/** Gives every object a unique description, and lists all objects. */
export async function survey(bed: TestBed): Promise<Thing[]> {
  const lines = new Map<string, { table: string; row: Line; words: string[] }>()
  for (const table of tables) {
    const { rows } = await sql<Line>`SELECT * FROM ${sql.table(table)}`.execute(bed.db)
    for (const row of rows) {
      // An address that the recycle bin keeps, or kept, is told of by its item.
      if (table === 'external_ip' && !(row.project_id || row.instance_id || row.probe_id)) continue
      const described = 'description' in row
      const description = createHash('sha256').update(row.id).digest('hex').slice(0, 24)
      if (described)
        await sql`UPDATE ${sql.table(table)} SET description = ${`about ${description}`} WHERE id = ${row.id}`.execute(
          bed.db,
        )
      lines.set(`${table} ${row.id}`, { table, row, words: described ? [description] : [] })
    }
  }
  const things = new Map<string, Thing>()
  /** Those that a thing belongs to are made before it. */
  function thing(key: string): Thing | undefined {
    const line = lines.get(key)
    if (line && !things.has(key)) things.set(key, thingOf(line.table, line.row, line.words, thing))
    return things.get(key)
  }
  for (const key of lines.keys()) thing(key)
  await link(bed, things)
  await noteImages(bed, [...things.values()])
  return [...things.values()]
}

function thingOf(
  table: string,
  row: Line,
  words: string[],
  thing: (key: string) => Thing | undefined,
): Thing {
  const parents: Record<string, Thing> = {}
  const columns = Object.entries(parentColumns).filter(
    ([column]) => table !== 'network_interface' || column !== 'vpc_id',
  )
  if (table === 'network_interface' || table === 'external_ip')
    columns.push(['instance_id', ['instance', 'instance']], ['probe_id', ['probe', 'probe']])
  for (const [column, [parameter, parentTable]] of columns) {
    const parent = thing(`${parentTable} ${String(row[column])}`)
    if (parent) Object.assign(parents, parent.parents, { [parameter]: parent })
  }
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  const name = text(row.name) ?? text(row.external_id)
  const owner_id = text(row.silo_user_id) ?? (table === 'silo_user' ? row.id : undefined)
  const owner = table === 'silo_user' ? undefined : thing(`silo_user ${owner_id ?? ''}`)
  const isInSilo = table === 'silo' || isPool(table)
  return {
    table,
    id: row.id,
    name,
    silo_id: table === 'silo' ? row.id : (parents.silo?.id ?? owner?.silo_id),
    project_id: table === 'project' ? row.id : parents.project?.id,
    owner_id,
    shownIn: [],
    parents: isInSilo ? {} : parents,
    words: secretWords(table, row, name, words),
  }
}

function secretWords(table: string, row: Line, name: string | undefined, described: string[]): string[] {
  // The login page reveals all discoverable silos.
  if (row.discoverable === true) return [row.id]
  // Users of the silo see each other's ids and names, those of service accounts too, and each project chooses among the
  // places for backups.
  if (table === 'service_account' || table === 'backup_target') return described
  return [...described, row.id, ...(name && ownNames.test(name) ? [name] : [])]
}

/** Relations in separate tables: the silos of a pool, and where else objects are shown. */
async function link(bed: TestBed, things: ReadonlyMap<string, Thing>): Promise<void> {
  const { rows: pools } = await sql<{ pool: string; silo: string }>`
    SELECT 'ip_pool ' || ip_pool_id AS pool, silo_id AS silo FROM ip_pool_silo
    UNION ALL SELECT 'subnet_pool ' || subnet_pool_id, silo_id FROM subnet_pool_silo`.execute(bed.db)
  for (const { pool, silo } of pools) {
    const thing = things.get(pool)
    if (thing) thing.silo_id = silo
  }
  const { rows: keys } = await sql<{ thing: string; project: string }>`
    SELECT 'ssh_key ' || k.ssh_key_id AS thing, i.project_id AS project
    FROM instance_ssh_key k JOIN instance i ON i.id = k.instance_id`.execute(bed.db)
  for (const { thing, project } of keys) things.get(thing)?.shownIn.push(project)
}

/** Images that were once in a project: its users were notified then, and the stream may repeat it. */
export async function noteImages(bed: TestBed, things: readonly Thing[]): Promise<void> {
  const { rows } = await sql<{
    id: string
    project: string
  }>`SELECT DISTINCT object_id AS id, project_id AS project
    FROM change WHERE kind = 'image' AND project_id IS NOT NULL`.execute(bed.db)
  for (const { id, project } of rows) things.find((thing) => thing.id === id)?.shownIn.push(project)
}

/**
 * Who may see what, by the product's documentation and not by its code: by silo, project, role and owner
 * alone.
 */
export function mayRead(role: Role, { table, silo_id, project_id, owner_id, shownIn }: Thing): boolean {
  if (role.user_id === undefined) return false
  if (fleetTables.has(table)) return role.fleet !== undefined
  const isOwn = silo_id === role.silo_id
  if (owner_id !== undefined && owner_id === role.user_id) return true
  if (shownIn.some((project) => isInProject(role, silo_id, project))) return true
  if (table === 'console_session' || table === 'device_access_token') return isOwn && role.silo === 'admin'
  if (table === 'certificate' || table === 'scim_token')
    return (isOwn && role.silo === 'admin') || role.fleet === 'admin'
  if (table === 'ssh_key' || table === 'saml_identity_provider')
    return (isOwn && role.silo !== undefined) || role.fleet !== undefined
  // Fleet roles include its pools.
  if (isPool(table)) return isOwn || role.fleet !== undefined
  if (table === 'probe' && role.fleet === undefined) return false
  if (project_id !== undefined) return isInProject(role, silo_id, project_id)
  // Without a project, a saved query is the fleet's.
  if (table === 'metric_query') return role.fleet !== undefined
  if (['image', 'instance_template', 'recycled', 'shared_view'].includes(table))
    return isOwn && role.silo !== undefined
  return isOwn || role.fleet !== undefined
}

const isInProject = (role: Role, silo_id: string | undefined, project_id: string): boolean =>
  role.silo_id === silo_id && (role.silo !== undefined || role.project?.id === project_id)

/** Restores every row to its original state, any number of times. */
export class Restorer {
  readonly #bed: TestBed
  readonly #tables: readonly string[]
  private constructor(bed: TestBed, kept: readonly string[]) {
    this.#bed = bed
    this.#tables = kept
  }

  /** Permanent numbers and published changes are not restored. */
  static async keep(bed: TestBed): Promise<Restorer> {
    const { rows } = await sql<{ name: string }>`SELECT tablename AS name FROM pg_tables
      WHERE schemaname = 'public' AND tablename NOT IN ('change', 'audit', 'counter')
        AND tablename NOT LIKE '%migration%'`.execute(bed.db)
    const kept = rows.map(({ name }) => name)
    await sql`CREATE SCHEMA kept`.execute(bed.db)
    for (const table of kept)
      await sql`CREATE TABLE kept.${sql.ref(table)} AS SELECT * FROM ${sql.table(table)}`.execute(bed.db)
    return new Restorer(bed, kept)
  }

  async restore(only: readonly string[] = this.#tables): Promise<void> {
    await this.#bed.db.transaction().execute(async (tx) => {
      await sql`SET LOCAL session_replication_role = replica`.execute(tx)
      for (const table of only) {
        await sql`DELETE FROM ${sql.table(table)}`.execute(tx)
        await sql`INSERT INTO ${sql.table(table)} SELECT * FROM kept.${sql.ref(table)}`.execute(tx)
      }
    })
  }
}
