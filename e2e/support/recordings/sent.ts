import { createClient, type OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { activityPage, sentRequestLimits } from '@gantry/api/history/activity.rules'
import { idsIn } from '../../../packages/console/src/data/recording/ids-in.ts'
import {
  knownObjects,
  type KnownObject,
  type Recorded,
} from '../../../packages/console/src/data/recording/recorded.ts'
import { recordedOf } from '../../../packages/console/src/features/activity/own-requests.ts'
import { isStep } from '../../../packages/console/src/kit/code/script.ts'

/** A user of a test, with a session on its server. */
export interface Person {
  id: string
  username: string
  silo: string
  cookie: string
}

export interface Sent {
  person: Person
  time: Date
  step: Recorded
}

const clientOf = (base: string, cookie: string) =>
  createClient({
    base,
    fetch: (url, init) => fetch(url, { ...init, headers: { ...(init.headers as object), cookie } }),
  })

/** What a person did, oldest first, as the page of their activity reads it. */
export async function sentBy(base: string, person: Person): Promise<Sent[]> {
  const client = clientOf(base, person.cookie)
  const entries: OutputOf<'activityList'>['items'] = []
  let pageToken: string | undefined
  do {
    const query =
      pageToken === undefined ? { mine: true, limit: activityPage } : { pageToken, limit: activityPage }
    const page = await client(op.activityList, { query })
    if (page.type !== 'success')
      throw new Error(`the activity of ${person.username} answered ${page.statusCode}`)
    entries.push(...page.data.items)
    pageToken = page.data.nextPage ?? undefined
  } while (pageToken !== undefined)
  const own = entries
    .filter(({ actor, outcome }) => actor.id === person.id && outcome !== 'refused')
    .toReversed()
  const sent: OutputOf<'currentUserRequestList'>['items'] = []
  for (let at = 0; at < own.length; at += sentRequestLimits.entries) {
    const entry = own.slice(at, at + sentRequestLimits.entries).map(({ id }) => id)
    const answer = await client(op.currentUserRequestList, { query: { entry } })
    if (answer.type !== 'success')
      throw new Error(`the requests of ${person.username} answered ${answer.statusCode}`)
    sent.push(...answer.data.items)
  }
  const seen = new Set<string>()
  const requests = new Map(sent.map(({ entryId, requestId }) => [entryId, requestId]))
  return own.flatMap((entry) => {
    const request = requests.get(entry.id) ?? entry.requestId
    if (request !== null && seen.has(request)) return []
    if (request !== null) seen.add(request)
    return recordedOf([entry], sent).map((step) => ({ person, time: entry.time, step }))
  })
}

/** The names behind the ids that the people's requests name, as far as these find them. */
export async function namesFor(base: string, sent: readonly Sent[]): Promise<Record<string, KnownObject>> {
  const known: Record<string, KnownObject> = {}
  const answered = new Set(sent.map(({ step }) => (isStep(step) ? step.answered?.id : undefined)))
  for (const { person, step } of sent) {
    if (!isStep(step)) continue
    const ids = idsIn(step.input).filter((id) => !answered.has(id) && !(id in known))
    Object.assign(known, await knownObjects(clientOf(base, person.cookie), ids, [step]))
  }
  return known
}
