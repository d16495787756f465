import { type Kysely, sql } from 'kysely'
import { callers } from '../fill.ts'
import type { Client } from '../fleet.ts'
import type { CallIds } from './calls.ts'

export async function known(db: Kysely<unknown>): Promise<CallIds> {
  const caller = `user-${String(callers[0]).padStart(5, '0')}`
  const { rows } = await sql<CallIds>`
    SELECT silo.id AS "siloId", p.id AS "vastId", u.id AS "userId",
      (SELECT id FROM instance i WHERE i.project_id = p.id ORDER BY name OFFSET 1000 LIMIT 1) AS "instanceId"
    FROM silo JOIN project p ON p.silo_id = silo.id AND p.name = 'vast'
    JOIN silo_user u ON u.silo_id = silo.id AND u.external_id = ${caller}`.execute(db)
  const [found] = rows
  if (!found) throw new Error('the fleet is not filled')
  return found
}

/** Paths of pages far down the long list: only their tokens identify them. */
export async function deepPages(client: Client): Promise<string[]> {
  const walk = (token: string, limit: number): string =>
    `/v1/instances?page_token=${encodeURIComponent(token)}&limit=${limit}`
  let path = '/v1/instances?project=vast&limit=1000'
  const pages: string[] = []
  for (let step = 0; step < 50; step++) {
    const { next_page } = await client.json<{ next_page: string }>(path)
    path = walk(next_page, 1000)
    if (step >= 20) pages.push(walk(next_page, 50))
  }
  return pages
}
