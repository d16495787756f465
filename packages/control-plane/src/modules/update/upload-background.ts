import { updateStreamIdleMinutes, updateUploadIdleHours } from '@gantry/api/update.rules'
import { sql } from 'kysely'
import { change, fleetScope } from '../../kernel/change.ts'
import { systemCx } from '../../kernel/cx.ts'
import { ignoreNotFound } from '../../kernel/gone.ts'
import { eachInTurn, type Reconciler } from '../../kernel/loop.ts'
import type { Services } from '../../kernel/services.ts'
import { latestPast } from '../../kernel/time.ts'
import { dropUpload, type Upload } from './uploads.ts'

const name = 'update-uploads'
const minuteMs = 60_000

/**
 * Deletes uploads without recent activity, with their bytes. A job verifies one that was sent in pieces, however long it
 * takes; a request that verifies its own may have died with its process.
 */
export const updateUploadUpkeep: Reconciler = {
  name,
  everyMs: minuteMs,
  async run(services) {
    const idle = idleBefore(services.clock())
    const { rows } = await sql<{ id: string }>`SELECT id FROM update_upload
      WHERE time_deleted IS NULL AND (is_stream OR state <> 'checking') AND time_received <
        CASE WHEN is_stream AND state = 'open' THEN ${idle.stream}::timestamptz ELSE ${idle.pieces}::timestamptz END
      LIMIT 64`.execute(services.db)
    const cx = () => systemCx(services, `reconcile:${name}`)
    await eachInTurn(services, name, rows, ({ id }) =>
      change(cx(), fleetScope, async (tx) => {
        const upload = await tx.lock('update_upload', id).catch(ignoreNotFound)
        // A piece may have arrived meanwhile.
        if (upload && isAbandoned(upload, idle)) await dropUpload(tx, upload)
      }),
    )
  },
}

const isAbandoned = (
  { is_stream, state, time_received }: Upload,
  idle: ReturnType<typeof idleBefore>,
): boolean =>
  (is_stream || state !== 'checking') &&
  time_received < (is_stream && state === 'open' ? idle.stream : idle.pieces)

const idleBefore = (now: Date) => ({
  stream: new Date(now.getTime() - updateStreamIdleMinutes * minuteMs),
  pieces: new Date(now.getTime() - updateUploadIdleHours * 60 * minuteMs),
})

/** Dates activity from while the clock was ahead to now; otherwise it would never expire. */
export async function repairUpdates({ db }: Services, now: Date): Promise<void> {
  const late = latestPast(now)
  await sql`UPDATE update_upload SET time_received = ${now} WHERE time_received > ${late}`.execute(db)
  await sql`UPDATE update_component SET time_changed = ${now} WHERE time_changed > ${late}`.execute(db)
}
