import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'

interface Of {
  deletion_id: string
  object: { id: string; name: string }
  silo_id: string
  silo_user_id: string
  total?: number
}

/** A running restoration of a deleted project, whose job is not queued. */
export async function addRestoration(db: Kysely<Tables>, given: Of): Promise<string> {
  const { deletion_id, object, silo_id, silo_user_id, total = 1 } = given
  const id = crypto.randomUUID()
  await db
    .insertInto('restoration')
    .values({
      id,
      deletion_id,
      kind: 'project',
      object_id: object.id,
      object_name: object.name,
      silo_id,
      project_id: object.id,
      silo_user_id,
      request: JSON.stringify({ id: 'request', uri: '', address: '', user_agent: null }),
      state: 'running',
      total,
      refusals: '[]',
      time_created: new Date(),
    })
    .execute()
  return id
}
