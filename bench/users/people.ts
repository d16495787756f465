import { type Dialect, Kysely, sql } from 'kysely'
import { createHash } from 'node:crypto'
import { seedDemo } from '../fill.ts'

/** Streams that follow the same project. */
const perProject = 10

const sessionOf = (user: number): string => createHash('sha1').update(`stream of user ${user}`).digest('hex')

/** The parameters that each stream is opened with. */
export const streamOf = (user: number) => ({
  cookie: `session=${sessionOf(user)}`,
  query: `topic=silo&project=${projectOf(user)}`,
})
export const projectOf = (user: number): string => `watched-${Math.floor(user / perProject)}`

/**
 * Creates users with a session each, viewers of the silo through one group, and a project for every ten of
 * them.
 */
export async function fillPeople(dialect: Dialect, count: number): Promise<void> {
  const db = new Kysely<unknown>({ dialect })
  await seedDemo(dialect)
  const tokens = Array.from(
    { length: count },
    (_, user) => `(${user}, '${createHash('sha256').update(sessionOf(user)).digest('hex')}')`,
  )
  const identity = 'gen_random_uuid(), now(), now()'
  const texts = [
    `INSERT INTO silo_group (id, time_created, time_modified, external_id, silo_id)
      SELECT ${identity}, 'readers', id FROM silo WHERE name = 'demo'`,
    `INSERT INTO role_assignment (resource_type, resource_id, identity_type, identity_id, role_name)
      SELECT 'silo', g.silo_id, 'silo_group', g.id, 'viewer' FROM silo_group g WHERE g.external_id = 'readers'`,
    `INSERT INTO silo_user (id, time_created, time_modified, external_id, silo_id)
      SELECT ${identity}, 'reader-' || n, silo.id FROM silo, generate_series(0, ${count - 1}) n WHERE silo.name = 'demo'`,
    `INSERT INTO silo_group_membership (silo_group_id, silo_user_id)
      SELECT g.id, u.id FROM silo_group g, silo_user u
      WHERE g.external_id = 'readers' AND u.external_id LIKE 'reader-%'`,
    `INSERT INTO console_session (id, token_hash, silo_user_id, time_created, time_last_used)
      SELECT gen_random_uuid(), made.hash, u.id, now(), now()
      FROM (VALUES ${tokens.join(', ')}) AS made (n, hash) JOIN silo_user u ON u.external_id = 'reader-' || made.n`,
    `INSERT INTO project (id, time_created, time_modified, name, description, silo_id)
      SELECT ${identity}, 'watched-' || n, '', silo.id
      FROM silo, generate_series(0, ${Math.floor((count - 1) / perProject)}) n WHERE silo.name = 'demo'`,
    `INSERT INTO provisioning (id, kind) SELECT id, 'project' FROM project ON CONFLICT (id) DO NOTHING`,
  ]
  for (const text of texts) await sql.raw(text).execute(db)
  for (const table of ['silo_user', 'console_session', 'silo_group_membership', 'project'])
    await sql.raw(`ANALYZE ${table}`).execute(db)
}
