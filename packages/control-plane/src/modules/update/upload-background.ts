import { updateStreamIdleMinutes, updateUploadIdleHours } from '@gantry/api/system/update.rules'
import { type RawBuilder, sql } from 'kysely'
import { change, fleetScope } from '../../change/change.ts'
import { systemCx } from '../../context/cx.ts'
import { ignoreNotFound } from '../../work/ignore-not-found.ts'
import { eachInTurn, type Reconciler } from '../../work/loop.ts'
import type { Services } from '../../context/services.ts'
import { latestPast } from '../../context/time.ts'
import { dropUpload } from './uploads.ts'

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
    const abandoned = services.db.selectFrom('update_upload').select('id').where(isAbandoned(idle)).limit(64)
    const cx = () => systemCx(services, `reconcile:${name}`)
    await eachInTurn(services, name, await abandoned.execute(), ({ id }) =>
      change(cx(), fleetScope, async (tx) => {
        const upload = await tx.lockById('update_upload', id).catch(ignoreNotFound)
        if (!upload) return
        // A piece may have arrived meanwhile.
        const stillIs = await tx.read
          .selectFrom('update_upload')
          .select('id')
          .where('id', '=', id)
          .where(isAbandoned(idle))
          .executeTakeFirst()
        if (stillIs) await dropUpload(tx, upload)
      }),
    )
  },
}

const isAbandoned = ({ stream, pieces }: ReturnType<typeof idleBefore>): RawBuilder<boolean> =>
  sql`time_deleted IS NULL AND (is_stream OR state <> 'checking') AND time_received <
    CASE WHEN is_stream AND state = 'open' THEN ${stream}::timestamptz ELSE ${pieces}::timestamptz END`

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
