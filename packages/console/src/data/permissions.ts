import type { InputOf, OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { isAbsent } from './extensions.ts'
import type { Failure } from './failure.ts'
import { metaOf } from './queries.ts'

/** One check: `{ action: 'create_child', object: 'silo' }`, `{ action: 'modify', object: 'project', id }`. */
type Check = InputOf<'permissionCheck'>['body']['checks'][number]
type Verdict = OutputOf<'permissionCheck'>['verdicts'][number]

/** Limit of checks per request (contract). */
const maxChecks = 100
/** Roles change rarely, and the change stream reports when they do. */
const freshMs = 60_000

type PendingCheck = { check: Check; resolve: (verdict: Verdict) => void; reject: (reason: unknown) => void }
let pending: PendingCheck[] = []

/** Batches all checks of one tick: a page with fifty buttons sends one request. */
function queryVerdict(check: Check): Promise<Verdict> {
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
    queryFn: async () => {
      try {
        return await queryVerdict(check)
      } catch (error) {
        // Only the first request finds out, and the page that made it must not fail.
        if (isAbsent(op.permissionCheck)) return allowed
        throw error
      }
    },
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

/**
 * Like `useWhyNot`, for rows on which the user's roles can differ, with one request for all rows. Until the answer
 * arrives, the reason is the wait, so that no entry of an open menu is disabled later.
 */
export function useWhyNotEach<Row extends { id: string }>(
  rows: readonly Row[],
  checkOf: (row: Row) => Check,
): (row: Row) => string | undefined {
  const checks = rows.map(checkOf)
  const { data, isLoading } = useQuery<Verdict[], Failure>({
    queryKey: [op.permissionCheck.name, checks],
    meta: metaOf(op.permissionCheck),
    queryFn: () => Promise.all(checks.map(queryVerdict)),
    staleTime: freshMs,
    enabled: () => checks.length > 0 && !isAbsent(op.permissionCheck),
  })
  if (isLoading) return () => 'Checking your permissions'
  const verdicts = new Map(rows.map(({ id }, index) => [id, data?.[index]]))
  return ({ id }) => reasonOf(verdicts.get(id))
}

/** Why the signed-in user may not change fleet-wide objects. */
export const useWhyNotOnFleet = (): string | undefined => useWhyNot({ action: 'modify', object: 'fleet' })

/** Why the signed-in user may not create those fleet-wide objects that need less than changing them does. */
export const useWhyNotInFleet = (): string | undefined =>
  useWhyNot({ action: 'create_child', object: 'fleet' })

/**
 * Why the signed-in user may not change resources of a project, other than its networks. Permission to create there
 * includes permission to change.
 */
export const useWhyNotInProject = (project: string): string | undefined =>
  useWhyNot({ action: 'create_child', object: 'project', id: project })

/** Why the signed-in user may not change the VPCs of a project, or what is in them. */
export const useWhyNotNetworks = (project: string): string | undefined =>
  useWhyNot({ action: 'create_child', object: 'project_network', id: project })

/** Why the signed-in user may not create, change or demote images of the silo. */
export const useWhyNotSiloImages = (): string | undefined =>
  useWhyNot({ action: 'create_child', object: 'silo_image' })

/** Why the signed-in user may not create projects. */
export const useWhyNotInSilo = (): string | undefined => useWhyNot({ action: 'create_child', object: 'silo' })
