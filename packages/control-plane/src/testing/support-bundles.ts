import { zipOf } from '../modules/support-bundles/archive.ts'
import type { TestBed } from './control-plane.ts'

/** A complete bundle of one file, `jobs.json`; gives its id. */
export async function addBundle({ db, blocks }: Pick<TestBed, 'db' | 'blocks'>): Promise<string> {
  const [id, content_id, now] = [crypto.randomUUID(), crypto.randomUUID(), new Date()]
  const { bytes, files } = await zipOf([{ path: 'jobs.json', bytes: new TextEncoder().encode('[]\n') }], now)
  await blocks.create(content_id, bytes.length)
  await blocks.write(content_id, 0, new Uint8Array(bytes))
  await db
    .insertInto('support_bundle')
    .values({
      id,
      content_id,
      time_created: now,
      time_modified: now,
      reason_for_creation: 'Created by external API',
      reason_for_failure: null,
      user_comment: null,
      state: 'active',
      size: bytes.length,
      files: JSON.stringify(files),
      parts_done: 1,
      parts_total: 1,
    })
    .execute()
  return id
}
