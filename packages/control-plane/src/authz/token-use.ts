import type { Cx } from '../context/cx.ts'
import { onceEach } from '../context/once-each.ts'
import type { Services } from '../context/services.ts'

/** A use is written at most this often: a write per read would cost more than the read. */
const grainMs = 60_000
const kept = 10_000
/** As in the audit log. */
const userAgentKept = 256

/** When this process last wrote the use of each token. */
const written = onceEach((_services: Services) => new Map<string, number>())

/** Records when, from where and by which client a token was used. Not awaited: nothing rests on it. */
export function noteTokenUse({ actor, services, request }: Cx): void {
  if (actor.kind !== 'silo_user' || actor.credential?.method !== 'access_token') return
  const { id } = actor.credential
  const uses = written(services)
  const time = services.clock()
  if (Math.abs(time.getTime() - (uses.get(id) ?? -Infinity)) < grainMs) return
  if (uses.size >= kept) uses.clear()
  uses.set(id, time.getTime())
  services.db
    .updateTable('device_access_token')
    .set({
      time_last_used: time,
      last_address: request.address || null,
      last_user_agent: request.user_agent?.slice(0, userAgentKept) ?? null,
    })
    .where('id', '=', id)
    .execute()
    .catch((error: unknown) => services.log.warn({ err: error }, 'the last use of a token was not written'))
}
