import type { InputOf, OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { isAbsent } from './extensions.ts'
import type { Failure } from './failure.ts'
import { metaOf } from './queries.ts'

/** One check: `{ action: 'create_child', object: 'silo' }`, `{ action: 'modify', object: 'project', id }`. */
export type Check = InputOf<'permissionCheck'>['body']['checks'][number]
export type Verdict = OutputOf<'permissionCheck'>['verdicts'][number]

/** Limit of checks per request (contract). */
const maxChecks = 100
/** Roles change rarely, and the change stream reports when they do. */
export const freshMs = 60_000

type PendingCheck = { check: Check; resolve: (verdict: Verdict) => void; reject: (reason: unknown) => void }
let pending: PendingCheck[] = []

/** Batches all checks of one tick: a page with fifty buttons sends one request. */
export function ask(check: Check): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    if (pending.length === 0) setTimeout(send, 5)
    pending.push({ check, resolve, reject })
  })
}

function send(): void {
  const all = pending
  pending = []
  for (let start = 0; start < all.length; start += maxChecks)
    void sendBatch(all.slice(start, start + maxChecks))
}

async function sendBatch(batch: PendingCheck[]): Promise<void> {
  try {
    const { data } = await call(op.permissionCheck, { body: { checks: batch.map(({ check }) => check) } })
    batch.forEach(({ resolve }, index) => resolve(data.verdicts[index] ?? allowed))
  } catch (cause) {
    for (const { reject } of batch) reject(cause)
  }
}

const allowed: Verdict = { allowed: true, reason: null, grant: null, missing: [] }

/** The answer to one check, for pages that render differently by permission. */
export const canQuery = (check: Check) =>
  queryOptions<Verdict, Failure>({
    queryKey: [op.permissionCheck.name, check],
    meta: metaOf(op.permissionCheck),
    queryFn: () => ask(check),
    staleTime: freshMs,
    enabled: () => !isAbsent(op.permissionCheck),
  })

/**
 * Why the signed-in user may not do something, in the form that buttons and row actions take:
 * `disabled={useWhyNot(check)}`. Everything is allowed until the answer arrives, and on servers that give none: the
 * server has the final say.
 */
export const useWhyNot = (check: Check): string | undefined =>
  // Selected, because then the answer that it is allowed renders nothing again.
  useQuery({ ...canQuery(check), select: reasonOf }).data

/** The sentence names the roles that would allow it. */
export const reasonOf = ({ allowed: isAllowed, reason }: Verdict = allowed): string | undefined =>
  isAllowed ? undefined : (reason ?? 'Not allowed for your role')
