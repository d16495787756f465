import { identifyListener } from '../../authz/authenticate.ts'
import type { Cx } from '../../kernel/cx.ts'
import { implement, Reply } from '../../kernel/implement.ts'
import { Refusal, unreadable } from '../../kernel/refusal.ts'
import { changeStream } from '../../kernel/stream.ts'
import { injectFault, listFaults, removeFault } from './faults.ts'
import { search } from './search.ts'

export const extensionsHttp = implement({
  changeStream: async (cx, { query }) => followChanges(cx, query.since ?? undefined),
  search: (cx, { query }) => search(cx, query.text, query.limit),
  faultList: listFaults,
  faultInject: (cx, { body }) => injectFault(cx, body),
  faultRemove: (cx, { path }) => removeFault(cx, path.fault_id),
})

/** Counts one more stream of the caller; answers how to count it off. */
function follow(cx: Cx): () => void {
  const { followers, settings } = cx.services
  const { user_id } = cx.user()
  const count = followers.get(user_id) ?? 0
  const { streams_per_person: most } = settings.limits
  if (count >= most)
    throw new Refusal('TooManyRequests', 'too many streams', {
      help: `You have ${count} change streams open, the maximum. Close a console tab first.`,
      retryAfter: 30,
    })
  followers.set(user_id, count + 1)
  return () => {
    const left = (followers.get(user_id) ?? 1) - 1
    if (left > 0) followers.set(user_id, left)
    else followers.delete(user_id)
  }
}

/** `Last-Event-ID`, which a browser sends by itself when it reconnects, wins over the query. */
function followChanges(cx: Cx, since: number | undefined): Reply {
  const { services, raw } = cx
  const resumed = raw?.headers.get('last-event-id')
  if (resumed && !/^\d{1,15}$/.test(resumed)) throw unreadable('bad Last-Event-ID: not a sequence number')
  const at = resumed ? Number(resumed) : since
  const signal = raw ? AbortSignal.any([raw.signal, services.ending]) : services.ending
  // The session is asked for anew now and then: a stream must not outlive it.
  const identify = () => (raw ? identifyListener(services, raw) : Promise.resolve(cx.actor))
  const stream = changeStream({ services, identify, since: at, signal, onEnd: follow(cx) })
  return new Reply(undefined, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }, { stream })
}
