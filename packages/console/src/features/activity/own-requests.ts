// @chunk apart: of what users did, which few want as code.
import { fromWire } from '@gantry/api/client/camel'
import type { InputOf, OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { recordKeys } from '@gantry/api/client/records.gen'
import { activityPage, sentRequestLimits } from '@gantry/api/history/activity.rules'
import { call, client } from '#/data/client.ts'
import { idsIn } from '#/data/recording/ids-in.ts'
import { type KnownObject, knownObjects, type Recorded } from '#/data/recording/recorded.ts'
import { isStep } from '#/kit/code/script.ts'
import { formatDate, formatTimeToSecond } from '#/ui/data/format.ts'
import { type ActivityEntry, isOwn } from './queries.ts'
import { sentenceOf } from './words.ts'

type Sent = OutputOf<'currentUserRequestList'>['items'][number]

export interface OwnRequests {
  /** Oldest first. */
  steps: readonly Recorded[]
  known: Readonly<Record<string, KnownObject>>
  /** How many entries have no request that can be repeated. */
  unkept: number
  /** Whether earlier entries match, too. */
  isCut: boolean
}

export const ownLimits = { entries: 500, names: 100 } as const

/** What the user did of what matches a filter, as requests in their order. */
export async function readOwnRequests(
  query: NonNullable<InputOf<'activityList'>['query']>,
  userId: string,
  signal: AbortSignal,
): Promise<OwnRequests> {
  const entries: ActivityEntry[] = []
  let next: string | undefined
  do {
    const asked = next === undefined ? query : { pageToken: next }
    const { data } = await call(op.activityList, { query: { ...asked, limit: activityPage } }, { signal })
    entries.push(...data.items.filter((entry) => isOwn(entry, userId)))
    next = data.nextPage ?? undefined
  } while (next !== undefined && entries.length < ownLimits.entries)
  const read = await requestsBehind(entries, signal)
  return { ...read, isCut: read.isCut || next !== undefined }
}

/** The requests behind entries of the user's own, whatever their order. */
export async function requestsBehind(
  entries: readonly ActivityEntry[],
  signal: AbortSignal,
): Promise<OwnRequests> {
  // Newest first, as they are read; those of the same moment stay as they are.
  const sorted = entries.toSorted((one, other) => other.time.getTime() - one.time.getTime())
  const isCut = sorted.length > ownLimits.entries
  const oldestFirst = sorted.slice(0, ownLimits.entries).toReversed()
  const steps = recordedOf(oldestFirst, await sentBehind(oldestFirst, signal))
  const requests = steps.filter(isStep)
  const ids = requests.flatMap(({ input }) => idsIn(input))
  const answered = new Set(requests.map((step) => step.answered?.id))
  const unknown = [...new Set(ids)].filter((id) => !answered.has(id))
  return {
    steps,
    known: await knownObjects(client, unknown.slice(0, ownLimits.names), requests),
    unkept: steps.filter((step) => !isStep(step)).length,
    isCut,
  }
}

async function sentBehind(entries: readonly ActivityEntry[], signal: AbortSignal): Promise<Sent[]> {
  const sent: Sent[] = []
  for (let at = 0; at < entries.length; at += sentRequestLimits.entries) {
    const entry = entries.slice(at, at + sentRequestLimits.entries).map(({ id }) => id)
    const { data } = await call(op.currentUserRequestList, { query: { entry } }, { signal })
    sent.push(...data.items)
  }
  return sent
}

/** A request once, however many entries it made. What has none is a comment. */
export function recordedOf(entries: readonly ActivityEntry[], sent: readonly Sent[]): Recorded[] {
  const byEntry = new Map(sent.map((each) => [each.entryId, each]))
  const seen = new Set<string>()
  return entries.flatMap((entry): Recorded[] => {
    const found = byEntry.get(entry.id)
    // Entries of a task's steps have ids of their own, and the request of their task.
    const requestId = found?.requestId ?? entry.requestId
    if (requestId !== null && seen.has(requestId)) return []
    if (requestId !== null) seen.add(requestId)
    if (!found) return [{ note: unkeptText(entry) }]
    const {
      path = {},
      query = {},
      body = null,
    } = fromWire(JSON.parse(found.input), recordKeys) as {
      path?: Record<string, unknown>
      query?: Record<string, unknown>
      body?: unknown
    }
    const { operation: name, method, answered, tags } = found
    return [
      {
        op: { name: name as keyof typeof op, method, path: found.path },
        input: { path, query, ...(body !== null && { body }) },
        ...(tags.length > 0 && { tags }),
        answered: answered ? { id: answered.id, name: answered.name ?? undefined } : undefined,
      },
    ]
  })
}

function unkeptText(entry: ActivityEntry): string {
  const { before, name, after } = sentenceOf(entry)
  const time = `${formatDate(entry.time)}, ${formatTimeToSecond(entry.time)}`
  return `${time}: ${before}${name}${after}. Its request is not kept, so it is not repeated.`
}
