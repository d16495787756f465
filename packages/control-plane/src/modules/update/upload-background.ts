import { updateStreamIdleMinutes, updateUploadIdleHours } from '@gantry/api/update.rules'
import { sql } from 'kysely'
import { change, fleetScope } from '../../kernel/change.ts'
import { systemCx } from '../../kernel/cx.ts'
import { ignoreNotFound } from '../../kernel/gone.ts'
import { eachInTurn, type Reconciler } from '../../kernel/loop.ts'
import type { Services } from '../../kernel/services.ts'
import { latestPast } from '../../kernel/time.ts'
import { dropUpload } from './uploads.ts'

const name = 'update-uploads'
const minuteMs = 60_000

/** Deletes uploads without recent activity, with their bytes. */
export const updateUploadUpkeep: Reconciler = {
  name,
  everyMs: minuteMs,
  async run(services) {
    const idle = idleBefore(services.clock())
    const { rows } = await sql<{ id: string }>`SELECT id FROM update_upload
      WHERE time_deleted IS NULL AND state <> 'checking' AND time_received <
        CASE WHEN is_stream THEN ${idle.stream}::timestamptz ELSE ${idle.pieces}::timestamptz END
      LIMIT 64`.execute(services.db)
    const cx = () => systemCx(services, `reconcile:${name}`)
    await eachInTurn(services, name, rows, ({ id }) =>
      change(cx(), fleetScope, async (tx) => {
        const upload = await tx.lock('update_upload', id).catch(ignoreNotFound)
        // A piece may have arrived meanwhile.
        if (!upload || upload.state === 'checking') return
        if (upload.time_received < (upload.is_stream ? idle.stream : idle.pieces))
          await dropUpload(tx, upload)
      }),
    )
  },
}

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
