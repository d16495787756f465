import { createHash, randomBytes } from 'node:crypto'
import { createControlPlane } from '@gantry/control-plane/app'
import { memoryBackupStores } from '@gantry/control-plane/blocks/backup-store'
import { memoryBlocks } from '@gantry/control-plane/blocks/memory'
import { fleetId } from '@gantry/control-plane/authz/actor'
import { noSeal } from '@gantry/control-plane/environment'
import { defaultSettings } from '@gantry/control-plane/settings'
import { type Dialect, Kysely, sql } from 'kysely'

/** The measured data: everything in the demo silo, all of it stopped. */
export const fleet = {
  projects: 1000,
  perProject: 20,
  /** One very large project besides the others. */
  vast: 100_000,
  users: 10_000,
  groups: 100,
  groupsPerUser: 3,
  /** Instances in a separate project, for starts and stops. */
  churn: 400,
} as const

export const password = 'heron-quarry-lamp'
/** Instances are named by purpose, so that a substring matches a share of them. */
const purposes = ['web', 'db', 'cache', 'api', 'worker']
const firstMac = 0xa8_40_25_f0_00_00
/** 100.64.0.0: an additional range of the demo's pool. */
const moreAddresses = 0x64_40_00_00
const floatingAddresses = 0x64_41_00_00
const ordinary = { first: 0xac_1e_00_00, last: 0xac_1e_03_ff }
const wide = { block: '10.0.0.0/12', first: 0x0a_00_00_00, last: 0x0a_0f_ff_ff }
const GiB = 1024 ** 3

/** The groups of the numbered user. */
const groupsOf = (user: number): number[] =>
  Array.from({ length: fleet.groupsPerUser }, (_, k) => (user * 7 + k * 31) % fleet.groups)

/** Groups below this one are viewers of the silo, which listing its projects requires. */
const viewingGroups = 10

/** The numbers of fifty users who are signed in from the start. All their permissions come through groups. */
export const callers: readonly number[] = Array.from({ length: fleet.users }, (_, user) => user)
  .filter((user) => groupsOf(user).some((group) => group < viewingGroups))
  .slice(0, 50)

export const sessionOf = (user: number): string =>
  createHash('sha1').update(`the session of user ${user}`).digest('hex')

/** The name of the numbered instance of the vast project. */
export const vastName = (number: number): string =>
  `${purposes[number % purposes.length]}-${String(number).padStart(6, '0')}`

/** A demo installation, then rows in bulk as the control plane would have written them. */
export async function fill(dialect: Dialect): Promise<void> {
  await seedDemo(dialect)
  const db = new Kysely<unknown>({ dialect })
  const run = (text: string): Promise<unknown> => sql.raw(text).execute(db)
  await run(`UPDATE silo_quotas SET cpus = 1000000, memory = ${2 ** 52}, storage = ${2 ** 53 - 1}`)
  // Capacity for everything that is started: forty sleds in total.
  await run(`INSERT INTO sled (id, time_created, time_modified, serial, part, revision, rack_id, cubby, policy,
      state, usable_hardware_threads, usable_physical_ram, reservoir_size, is_provisionable)
    SELECT gen_random_uuid(), now(), now(), 'GS-' || lpad(n::text, 3, '0'), 'gantry-sled', 1, rack.id, n, 'in_service',
      'active', 128, ${1024 * GiB}, ${819 * GiB}, true
    FROM rack, generate_series(101, 132) n`)
  await run(`INSERT INTO sled_usage (sled_id) SELECT id FROM sled ON CONFLICT DO NOTHING`)
  for (const text of [...people(), ...projects(), ...instances(), ...parts(), ...roles()]) await run(text)
  // As after hours of use: otherwise the first readers set hint bits and vacuum and checkpoints run meanwhile.
  await run('VACUUM ANALYZE')
  await run('CHECKPOINT')
}

export async function seedDemo(dialect: Dialect): Promise<void> {
  const quiet = (): void => {}
  const plane = createControlPlane({
    dialect,
    blocks: memoryBlocks(),
    passwords: {
      hash: (text) => import('@node-rs/argon2').then(({ hash }) => hash(text)),
      verify: async () => false,
    },
    seal: noSeal,
    settings: defaultSettings,
    certificates: undefined,
    dnsZone: 'localhost',
    saml: undefined,
    webauthn: undefined,
    downloads: undefined,
    webhooks: undefined,
    backupStores: memoryBackupStores(),
    imageConverter: undefined,
    diagnosis: undefined,
    samples: undefined,
    log: { info: quiet, warn: quiet, error: console.error },
    clock: () => new Date(),
    random: (length) => new Uint8Array(randomBytes(length)),
    secure: false,
    origins: [],
  })
  await plane.migrate()
  await plane.seed('playground', password)
}

/** The sort key of an IPv4 address. */
const keyOf = (address: string): string => `'4' || lpad(to_hex(${address}), 8, '0')`

const identity = (name: string): string => `gen_random_uuid(), now(), now(), ${name}`

/** Users in several groups each, and the sessions of the callers. */
function people(): string[] {
  const { users, groups, groupsPerUser } = fleet
  const digests = callers.map(
    (user) => `(${user}, '${createHash('sha256').update(sessionOf(user)).digest('hex')}')`,
  )
  return [
    `INSERT INTO silo_user (id, time_created, time_modified, silo_id, external_id)
      SELECT gen_random_uuid(), now(), now(), silo.id, 'user-' || lpad(n::text, 5, '0')
      FROM generate_series(0, ${users - 1}) n, silo`,
    `INSERT INTO silo_group (id, time_created, time_modified, silo_id, external_id)
      SELECT gen_random_uuid(), now(), now(), silo.id, 'group-' || lpad(n::text, 3, '0')
      FROM generate_series(0, ${groups - 1}) n, silo`,
    `INSERT INTO silo_group_membership (silo_group_id, silo_user_id)
      SELECT g.id, u.id FROM generate_series(0, ${users - 1}) n, generate_series(0, ${groupsPerUser - 1}) k,
        silo_user u, silo_group g
      WHERE u.external_id = 'user-' || lpad(n::text, 5, '0')
        AND g.external_id = 'group-' || lpad(((n * 7 + k * 31) % ${groups})::text, 3, '0')
      ON CONFLICT DO NOTHING`,
    `INSERT INTO console_session (id, token_hash, silo_user_id, time_created, time_last_used)
      SELECT gen_random_uuid(), s.digest, u.id, now(), now()
      FROM (VALUES ${digests.join(', ')}) AS s (n, digest)
      JOIN silo_user u ON u.external_id = 'user-' || lpad(s.n::text, 5, '0')`,
  ]
}

/** Each with its default network. */
function projects(): string[] {
  const everywhere = (version: string, block: string): string =>
    `INSERT INTO router_route (id, time_created, time_modified, name, description, vpc_router_id, kind, target, destination)
      SELECT ${identity(`'default-${version}'`)}, 'The default route of a vpc', r.id, 'default',
        '{"type":"internet_gateway","value":"default"}', '{"type":"ip_net","value":"${block}"}'
      FROM vpc_router r WHERE NOT EXISTS (SELECT 1 FROM router_route o WHERE o.vpc_router_id = r.id
        AND o.name = 'default-${version}')`
  const rules: [name: string, filters: string][] = [
    ['allow-internal-inbound', '{"hosts":[{"type":"vpc","value":"default"}],"ports":null,"protocols":null}'],
    ['allow-ssh', '{"hosts":null,"ports":["22"],"protocols":[{"type":"tcp"}]}'],
    ['allow-icmp', '{"hosts":null,"ports":null,"protocols":[{"type":"icmp","value":null}]}'],
    ['allow-https', '{"hosts":null,"ports":["443"],"protocols":[{"type":"tcp"}]}'],
    [
      'allow-metrics',
      '{"hosts":[{"type":"subnet","value":"default"}],"ports":["9100"],"protocols":[{"type":"tcp"}]}',
    ],
  ]
  return [
    `INSERT INTO project (id, time_created, time_modified, name, description, silo_id)
      SELECT ${identity('n.name')}, 'one of many', silo.id
      FROM silo, (SELECT 'project-' || lpad(n::text, 4, '0') AS name FROM generate_series(0, ${fleet.projects - 1}) n
        UNION ALL VALUES ('vast'), ('churn')) n`,
    `INSERT INTO provisioning (id, kind) SELECT id, 'project' FROM project ON CONFLICT (id) DO NOTHING`,
    `INSERT INTO vpc (id, time_created, time_modified, name, description, project_id, system_router_id, ipv6_prefix,
        dns_name, vni)
      SELECT ${identity(`'default'`)}, 'Default VPC', p.id, gen_random_uuid(),
        'fd00:' || to_hex(n / 65536) || ':' || to_hex(n % 65536) || '::/48', 'default', 100000 + n
      FROM (SELECT id, row_number() OVER (ORDER BY name) AS n FROM project
        WHERE name LIKE 'project-%' OR name IN ('vast', 'churn')) p`,
    `INSERT INTO vpc_router (id, time_created, time_modified, name, description, vpc_id, kind)
      SELECT system_router_id, now(), now(), 'system', '', id, 'system' FROM vpc ON CONFLICT DO NOTHING`,
    everywhere('v4', '0.0.0.0/0'),
    everywhere('v6', '::/0'),
    `INSERT INTO vpc_subnet (id, time_created, time_modified, name, description, vpc_id, ipv4_block, ipv4_first, ipv4_last,
        ipv6_block)
      SELECT ${identity(`'default'`)}, 'The default subnet for default', v.id,
        CASE WHEN p.name = 'vast' THEN '${wide.block}' ELSE '172.30.0.0/22' END,
        CASE WHEN p.name = 'vast' THEN ${wide.first} ELSE ${ordinary.first} END,
        CASE WHEN p.name = 'vast' THEN ${wide.last} ELSE ${ordinary.last} END,
        replace(v.ipv6_prefix, '::/48', '::/64')
      FROM vpc v JOIN project p ON p.id = v.project_id WHERE p.name <> 'playground'`,
    `INSERT INTO router_route (id, time_created, time_modified, name, description, vpc_router_id, kind, target, destination,
        vpc_subnet_id)
      SELECT ${identity('s.name')}, 'System-managed VPC Subnet route.', v.system_router_id, 'vpc_subnet',
        '{"type":"subnet","value":"default"}', '{"type":"subnet","value":"default"}', s.id
      FROM vpc_subnet s JOIN vpc v ON v.id = s.vpc_id
      WHERE NOT EXISTS (SELECT 1 FROM router_route o WHERE o.vpc_subnet_id = s.id)`,
    `INSERT INTO internet_gateway (id, time_created, time_modified, name, description, vpc_id)
      SELECT ${identity(`'default'`)}, 'Automatically created default VPC gateway', id FROM vpc
      WHERE id NOT IN (SELECT vpc_id FROM internet_gateway)`,
    `INSERT INTO internet_gateway_ip_pool (id, time_created, time_modified, name, description, internet_gateway_id,
        ip_pool_id)
      SELECT ${identity(`'default'`)}, 'Automatically attached default IP pool', g.id, pool.id
      FROM internet_gateway g, (SELECT id FROM ip_pool WHERE NOT is_service) pool ON CONFLICT DO NOTHING`,
    `INSERT INTO vpc_firewall (vpc_id, generation) SELECT id, 1 FROM vpc ON CONFLICT DO NOTHING`,
    `INSERT INTO vpc_firewall_rule (id, time_created, time_modified, name, description, vpc_id, status, direction, targets,
        filters, action, priority)
      SELECT ${identity('r.name')}, '', v.id, 'enabled', 'inbound', '[{"type":"vpc","value":"default"}]',
        r.filters::jsonb, 'allow', 65534
      FROM vpc v, (VALUES ${rules.map(([name, filters]) => `('${name}', '${filters}')`).join(', ')}) AS r (name, filters)
      ON CONFLICT DO NOTHING`,
  ]
}

function instances(): string[] {
  const { perProject, vast, churn } = fleet
  const make = (name: string, count: number, where: string): string =>
    `INSERT INTO instance (id, time_created, time_modified, name, description, project_id, ncpus, memory, hostname,
        user_data, run_state, time_run_state_updated, intended_state)
      SELECT gen_random_uuid(), made.at, made.at, made.name, 'one of many', made.project_id, 1, ${GiB}, made.name, '',
        'stopped', made.at, 'stopped'
      FROM (SELECT p.id AS project_id, ${name} AS name, now() - n * interval '30 seconds' AS at
        FROM generate_series(0, ${count - 1}) n, project p WHERE ${where}) made`
  const words = `(ARRAY[${purposes.map((word) => `'${word}'`).join(',')}])[n % ${purposes.length} + 1]`
  return [
    make(`${words} || '-' || lpad(n::text, 6, '0')`, vast, `p.name = 'vast'`),
    make(`'instance-' || lpad(n::text, 4, '0')`, perProject, `p.name LIKE 'project-%'`),
    make(`'instance-' || lpad(n::text, 4, '0')`, churn, `p.name = 'churn'`),
  ]
}

/** For every instance a boot disk, an interface and SNAT ports; also some floating addresses. */
function parts(): string[] {
  return [
    `INSERT INTO disk (id, time_created, time_modified, name, description, project_id, size, block_size, state, instance_id,
        slot, content_id)
      SELECT gen_random_uuid(), time_created, time_created, name || '-boot', '', project_id, ${10 * GiB}, 512, 'attached',
        id, 0, gen_random_uuid()::text FROM instance`,
    `UPDATE instance SET boot_disk_id = disk.id FROM disk WHERE disk.instance_id = instance.id`,
    `UPDATE provisioning SET storage = used.storage FROM (SELECT project_id, sum(size)::int8 AS storage FROM disk
      GROUP BY project_id) used WHERE provisioning.id = used.project_id`,
    `UPDATE provisioning SET storage = (SELECT sum(size)::int8 FROM disk) WHERE kind = 'silo'`,
    `INSERT INTO network_interface (id, time_created, time_modified, name, description, instance_id, vpc_id, subnet_id,
        mac_int, ip, ip_int, slot, is_primary, transit_ips)
      SELECT gen_random_uuid(), i.time_created, i.time_created, 'net0', '', i.id, s.vpc_id, s.id,
        ${firstMac} + i.place - 1,
        host('0.0.0.0'::inet + (s.ipv4_first + 4 + i.place)), s.ipv4_first + 4 + i.place, 0, true, '[]'
      FROM (SELECT *, row_number() OVER (PARTITION BY project_id ORDER BY name) AS place FROM instance) i
      JOIN vpc v ON v.project_id = i.project_id JOIN vpc_subnet s ON s.vpc_id = v.id`,
    `INSERT INTO ip_pool_range (id, ip_pool_id, first_ip, last_ip, first_int, last_int, first_key,
        last_key, time_created)
      SELECT gen_random_uuid(), id, '100.64.0.0', '100.65.255.255', ${moreAddresses}, ${floatingAddresses + 0xffff},
        '464400000', '46441ffff', now() FROM ip_pool WHERE NOT is_service`,
    `INSERT INTO external_ip (id, time_created, time_modified, kind, ip, ip_int, ip_key, ip_pool_id, first_port,
        last_port, instance_id)
      SELECT gen_random_uuid(), now(), now(), 'snat', host('0.0.0.0'::inet + i.ip_int), i.ip_int, ${keyOf('i.ip_int')},
        pool.id,
        i.quarter * 16384, i.quarter * 16384 + 16383, i.id
      FROM (SELECT id, ${moreAddresses}::int8 + (row_number() OVER (ORDER BY id) - 1) / 4 AS ip_int,
        (row_number() OVER (ORDER BY id) - 1) % 4 AS quarter FROM instance) i,
        (SELECT id FROM ip_pool WHERE NOT is_service) pool`,
    `INSERT INTO external_ip (id, time_created, time_modified, kind, name, description, project_id, ip, ip_int, ip_key,
        ip_pool_id, first_port, last_port, instance_id)
      SELECT gen_random_uuid(), now(), now(), 'floating', 'floating-' || lpad(n::text, 3, '0'), '', p.id,
        host('0.0.0.0'::inet + p.at + n), p.at + n, ${keyOf('p.at + n')}, pool.id, 0, 65535, NULL
      FROM generate_series(0, 4) n, (SELECT id FROM ip_pool WHERE NOT is_service) pool,
        (SELECT id, ${floatingAddresses}::int8 + row_number() OVER (ORDER BY name) * 8 AS at FROM project) p`,
  ]
}

/** Most users have their roles through groups; in every project two have a direct one. */
function roles(): string[] {
  const grant = (type: string, select: string): string =>
    `INSERT INTO role_assignment (resource_type, resource_id, identity_type, identity_id, role_name)
      SELECT '${type}', ${select} ON CONFLICT DO NOTHING`
  const numbered = `(SELECT id, row_number() OVER (ORDER BY name) AS n FROM project)`
  const group = (role: string, shift: number): string =>
    grant(
      'project',
      `p.id, 'silo_group', g.id, '${role}' FROM ${numbered} p JOIN silo_group g
        ON g.external_id = 'group-' || lpad(((p.n + ${shift}) % ${fleet.groups})::text, 3, '0')`,
    )
  return [
    group('collaborator', 0),
    group('viewer', 13),
    grant(
      'project',
      `p.id, 'silo_user', u.id, 'admin' FROM ${numbered} p, generate_series(0, 1) k JOIN LATERAL (SELECT 1) one ON true,
        silo_user u WHERE u.external_id = 'user-' || lpad(((p.n * 2 + k) % ${fleet.users})::text, 5, '0')`,
    ),
    // All callers have roles in the measured projects.
    grant(
      'project',
      `p.id, 'silo_group', g.id, 'collaborator' FROM project p, silo_group g WHERE p.name IN ('vast', 'churn')`,
    ),
    grant(
      'silo',
      `silo.id, 'silo_group', g.id, 'viewer' FROM silo, silo_group g WHERE g.external_id < 'group-0${viewingGroups}'`,
    ),
    grant(
      'fleet',
      `'${fleetId}', 'silo_group', g.id, 'viewer' FROM silo_group g WHERE g.external_id = 'group-000'`,
    ),
    `INSERT INTO policy (resource_type, resource_id, generation)
      SELECT DISTINCT resource_type, resource_id, 1 FROM role_assignment ON CONFLICT DO NOTHING`,
  ]
}
