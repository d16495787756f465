import { afterAll, describe, expect, test } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { Gantry } from '../../e2e/support/gantry.ts'
import { password } from '../../e2e/support/target.ts'
import type { DatabaseLocation } from '../../packages/server/src/database/open.ts'
import { temporaryPostgres } from '../../packages/server/src/testing/temporary-postgres.ts'
import { okay } from './requests.ts'

export const databases = ['embedded', 'PostgreSQL'] as const
type Database = (typeof databases)[number]

/** The setting of an attack: a server, its users, and another user who only wants to be answered. */
export interface Stage {
  gantry: Gantry
  /** Fleet admin and silo admin of `demo`; collaborator of the silo. */
  admin: Client
  member: Client
  /** A client of a new user in `demo`, with these roles on the silo and on the fleet. */
  newUser: (name: string, roles: { silo?: string; fleet?: string }) => Promise<Client>
  /** The database, which no other process may open while it is embedded and the server runs. */
  location: DatabaseLocation
  remove: () => Promise<void>
}

/** Attacks on a server with each database, none of which may cause an internal error. */
export function describeAttacks(aim: string, define: (stage: Stage) => void, opening: Opening = {}): void {
  describe.each(databases)(`attacks that would ${aim}, with the %s database`, async (database) => {
    const stage = await openStage(database, opening)
    if ('missing' in stage) return skipAttacks(stage.missing)
    afterAll(() => stage.remove())
    define(stage)
    test('cause no internal errors', () => expect(faultsOf(stage.gantry.log)).toEqual([]))
  })
}

/** Reports that attacks are skipped, and why. */
export const skipAttacks = (missing: string): void =>
  test('has what it needs', (context) => {
    context.skip(true, missing)
    expect(missing).toBe('')
  })

/** Log lines that report errors. */
export const faultsOf = (log: string): string[] =>
  log.split('\n').filter((line) => /"level":(50|60|"error"|"fatal")/.test(line))

interface Opening {
  /** More options of `gantry serve`. */
  args?: readonly string[]
  settings?: object
}

/** The last address of `X-Forwarded-For` is the caller, so that attacks can use many addresses. */
const behindProxy = ['--trust-proxy']
/** Low enough for a busy host to reach. */
const limits = { requests_per_second: 50, request_burst: 400 }

async function openStage(
  database: Database,
  { args = behindProxy, settings }: Opening,
): Promise<Stage | { missing: string }> {
  const postgres = database === 'PostgreSQL' ? await temporaryPostgres() : undefined
  if (postgres && 'missing' in postgres) return postgres
  const url = await postgres?.newDatabase()
  const gantry = await new Gantry({
    args,
    settings: { limits, ...settings },
    ...(url === undefined ? {} : { database: url }),
  }).start()
  const [admin, member] = [new Client(gantry), new Client(gantry)]
  await admin.signIn()
  await member.signIn('member')
  return {
    gantry,
    admin,
    member,
    newUser: (name, roles) => createUser(gantry, admin, name, roles),
    location: url === undefined ? { dataDir: gantry.dataDir } : { url },
    remove: async () => {
      await gantry.remove()
      await postgres?.stop()
    },
  }
}

async function createUser(
  gantry: Gantry,
  admin: Client,
  name: string,
  { silo, fleet }: { silo?: string; fleet?: string },
): Promise<Client> {
  const made = await admin.send('POST', '/v1/system/identity-providers/local/users?silo=demo', {
    external_id: name,
    password: { mode: 'password', value: password },
  })
  const { id } = await okay<{ id: string }>(made)
  for (const [path, role_name] of [
    ['/v1/policy', silo],
    ['/v1/system/policy', fleet],
  ] as const) {
    if (role_name === undefined) continue
    const policy = await admin.read<{ role_assignments: unknown[] }>(path)
    const assignment = { identity_id: id, identity_type: 'silo_user', role_name }
    await okay(await admin.send('PUT', path, { role_assignments: [...policy.role_assignments, assignment] }))
  }
  const client = new Client(gantry)
  await client.signIn(name)
  return client
}
