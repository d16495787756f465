import { type Dialect, Kysely, sql } from 'kysely'
import type { Actor } from '@gantry/control-plane/authz/actor'
import { migrate } from '@gantry/control-plane/db/migrate'
import type { Row, Tables } from '@gantry/control-plane/db/tables'
import { change, type Change } from '@gantry/control-plane/change/change'
import { Cx, requestInfo } from '@gantry/control-plane/context/cx'
import { memoryBlocks } from '@gantry/control-plane/blocks/memory'
import { simulatedFleet } from '@gantry/control-plane/fleet/simulated/fleet'
import type { Services } from '@gantry/control-plane/context/services'
import { forgetListed } from '../addresses/free-address.ts'
import { parseIpv4 } from '../addresses/ip.ts'
import { ipv4Stretch } from '../addresses/stretch.ts'
import { defaultSettings } from '@gantry/control-plane/settings'
import { rangeRow } from '../../ip-pools/range-row.ts'
import { migratedDatabase } from '@gantry/control-plane/testing/migrated-database'

/** A database with one silo and one project, and shorthands for network tests. */
export interface World {
  cx: (actor?: Actor) => Cx
  /** Runs one system change in the project. */
  run: <Result>(work: (tx: Change) => Promise<Result>) => Promise<Result>
  silo: Row<'silo'>
  project: Row<'project'>
  addPool: (
    name: string,
    ranges: [first: string, last: string][],
    link?: 'default' | 'linked' | 'unlinked',
  ) => Promise<Row<'ip_pool'>>
  addInstance: (name: string) => Promise<Row<'instance'>>
  addFloating: (
    name: string,
    ip: string,
    pool: Row<'ip_pool'>,
    project?: Row<'project'>,
  ) => Promise<Row<'external_ip'>>
  close: () => Promise<void>
}

/** A database takes a second to start, so a file's tests share one and each starts with it empty. */
let shared: Promise<Kysely<Tables>> | undefined

const openDatabase = async () => new Kysely<Tables>({ dialect: await migratedDatabase() })

async function empty(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{
    name: string
  }>`SELECT relname AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relkind = 'r' AND n.nspname = 'public' AND relname <> 'schema_migration'`.execute(db)
  for (const { name } of rows) await sql`DELETE FROM ${sql.table(name)}`.execute(db)
}

export async function openWorld(dialect?: Dialect): Promise<World> {
  const db = dialect ? new Kysely<Tables>({ dialect }) : await (shared ??= openDatabase())
  if (dialect) await migrate(db)
  await empty(db)
  const services = {
    db,
    settings: defaultSettings,
    fleet: simulatedFleet({ db, blocks: memoryBlocks(), clock: () => new Date() }),
    clock: () => new Date(),
    random: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
    wake: { changes() {}, jobs() {}, fleet() {}, restarts() {} },
    // Nothing here uses the rest of the environment.
  } as unknown as Services
  const cx = (actor: Actor = { kind: 'system' }) =>
    new Cx(services, actor, requestInfo(services, { operation: 'test' }))
  const described = { description: '' }

  const { silo, project } = await change(cx(), { silo_id: null, project_id: null }, async (tx) => {
    const silo = await tx.insert('silo', {
      ...described,
      name: 'silo',
      discoverable: true,
      identity_mode: 'local_only',
      mapped_fleet_roles: '{}',
    })
    return { silo, project: await tx.insert('project', { ...described, name: 'project', silo_id: silo.id }) }
  })
  const run: World['run'] = (work) => change(cx(), { silo_id: silo.id, project_id: project.id }, work)
  return {
    cx,
    run,
    silo,
    project,
    addPool: (name, ranges, link = 'default') =>
      run(async (tx) => {
        const pool = await tx.insert('ip_pool', { ...described, name })
        for (const [first, last] of ranges) {
          const range = rangeRow(tx.cx.newId(), pool.id, { first, last }, tx.cx.now())
          await tx.plain.insertInto('ip_pool_range').values(range).execute()
        }
        const linked = { ip_pool_id: pool.id, silo_id: silo.id, is_default: link === 'default' }
        if (link !== 'unlinked') await tx.plain.insertInto('ip_pool_silo').values(linked).execute()
        return pool
      }),
    addInstance: (name) => run((tx) => insertInstance(tx, project.id, name)),
    addFloating: (name, ip, pool, owner = project) =>
      run(async (tx) => {
        const ip_int = parseIpv4(ip) ?? 0
        await forgetListed(tx, { ip_pool_id: pool.id, first_int: ip_int, last_int: ip_int })
        return tx.insert('external_ip', {
          ...described,
          name,
          kind: 'floating',
          project_id: owner.id,
          ...ipv4Stretch(ip_int),
          ip_pool_id: pool.id,
          instance_id: null,
        })
      }),
    close: async () => {
      shared = undefined
      await db.destroy()
    },
  }
}

export const insertInstance = (tx: Change, project_id: string, name: string): Promise<Row<'instance'>> =>
  tx.insert('instance', {
    description: '',
    name,
    project_id,
    ncpus: 1,
    memory: 2 ** 30,
    hostname: name,
    user_data: '',
    boot_disk_id: null,
    run_state: 'creating',
    time_run_state_updated: tx.cx.now(),
    intended_state: 'stopped',
    auto_restart_policy: null,
    time_last_auto_restarted: null,
    vmm_id: null,
  })
