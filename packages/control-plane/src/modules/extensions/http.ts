import { positionPattern } from '@gantry/api/extensions.rules'
import { identifyListener } from '../../authz/authenticate.ts'
import type { Cx } from '../../context/cx.ts'
import { implement, type Input, Reply } from '../../pipeline/implement.ts'
import type { Services } from '../../context/services.ts'
import { Refusal, unauthorized, unreadable } from '../../context/refusal.ts'
import { changeStream } from '../../stream/stream.ts'
import { topicFilter } from '../../stream/topics.ts'
import { injectFault, listFaults, removeFault } from './faults.ts'
import { listDetails } from './list-details.ts'
import { objectNames } from './object-names.ts'
import { search } from './search.ts'
import { listTotals, listValues } from '../../list/filter/totals.ts'
import { onceEach } from '../../context/once-each.ts'
import { allowListGuard } from '../../pipeline/allow-list.ts'
import { changeFeed } from '../../stream/change-feed.ts'
import { positions } from '../../stream/positions.ts'

export const extensionsHttp = implement({
  changeStream: async (cx, { query }) => followChanges(cx, query),
  listTotals: (cx, { query }) => listTotals(cx, query),
  listDetails,
  listValues: (cx, { query }) => listValues(cx, query),
  search: (cx, { query }) => search(cx, query.text, query.limit),
  objectNames: (cx, { query }) => objectNames(cx, query.id),
  faultList: listFaults,
  faultInject: (cx, { body }) => injectFault(cx, body),
  faultRemove: (cx, { path }) => removeFault(cx, path.fault_id),
})

/** Open change streams of each user in this process, by user id. */
const followersOf = onceEach((_services: Services) => new Map<string, number>())

/** Counts one more stream of the caller; returns a function that uncounts it. */
function follow(cx: Cx): () => void {
  const { settings } = cx.services
  const followers = followersOf(cx.services)
  const { user_id } = cx.user()
  const count = followers.get(user_id) ?? 0
  const { streams_per_person: limit } = settings.limits
  if (count >= limit)
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

/** The change number behind a position; unknown if it is another installation's, or an earlier version's. */
function numberOf(services: Services, position: string | undefined): number | 'unknown' | undefined {
  return position === undefined ? undefined : (positions(services).open(position) ?? 'unknown')
}

/** `Last-Event-ID`, which a browser sends when it reconnects, takes precedence over the query. */
async function followChanges(cx: Cx, query: Input<'changeStream'>['query']): Promise<Reply> {
  const { services, raw, request } = cx
  const actor = cx.user()
  const resumed = raw?.headers.get('last-event-id')
  const seals = positions(services)
  await seals.load()
  if (resumed && !positionPattern.test(resumed))
    throw unreadable('bad Last-Event-ID: not a position in the change stream')
  const since = numberOf(services, resumed || (query.since ?? undefined))
  const filter = await topicFilter(services, actor, query)
  const excluded = new AbortController()
  const uncount = follow(cx)
  const forget = allowListGuard(services).watch({ address: request.address, end: () => excluded.abort() })
  const stream = changeStream({
    services,
    feed: changeFeed(services),
    positions: seals,
    actor,
    rolesAt: request.published ?? 0,
    identify: async () => {
      const now = raw ? await identifyListener(services, raw) : actor
      if (now.kind !== 'silo_user') throw unauthorized()
      return now
    },
    filter,
    since,
    signal: AbortSignal.any([raw?.signal ?? services.ending, excluded.signal]),
    onEnd: () => {
      uncount()
      forget()
    },
  })
  return new Reply(undefined, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }, { stream })
}
