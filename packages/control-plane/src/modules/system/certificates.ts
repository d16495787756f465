import { issueLimits } from '@gantry/api/system/system.rules'
import type { SystemIssue } from '@gantry/api/system/system'
import type { Row } from '../../db/tables.ts'
import { hoursBefore, type IssueSource, type Looking, issueOf, readLimit, touched } from './issue.ts'

const dayMs = 24 * 3_600_000

/** By request, so that open and past issues come from one statement. */
const reads = new WeakMap<Looking, Promise<Found[]>>()

/** Certificates, and those deleted so recently that their issues are listed as past. */
function certificates(cx: Looking): Promise<Found[]> {
  if (!cx.services.certificates) return Promise.resolve([])
  const since = hoursBefore(cx.now(), issueLimits.pastDays * 24)
  const found =
    reads.get(cx) ??
    cx.db
      .selectFrom('certificate')
      .innerJoin('silo', 'silo.id', 'certificate.silo_id')
      .select(['certificate.id', 'certificate.name', 'certificate.cert', 'certificate.time_deleted'])
      .select('silo.name as silo_name')
      .where((where) =>
        where.or([
          where('certificate.time_deleted', 'is', null),
          where('certificate.time_deleted', '>', since),
        ]),
      )
      .orderBy('silo.name')
      .orderBy('certificate.name')
      .orderBy('certificate.id')
      .execute()
  reads.set(cx, found)
  return found
}

type Found = Pick<Row<'certificate'>, 'id' | 'name' | 'cert' | 'time_deleted'> & { silo_name: string }

/** An issue from thirty days before the first certificate of the chain expires, until the chain is deleted. */
function issuesOf(cx: Looking, rows: readonly Found[]): SystemIssue[] {
  const now = cx.now()
  const found = rows.flatMap(({ id, name, cert, silo_name, time_deleted }) => {
    const ends = (cx.services.certificates?.readChain(cert) ?? []).map(({ notAfter }) => notAfter.getTime())
    if (ends.length === 0) return []
    const until = (time_deleted ?? now).getTime()
    const expires = Math.min(...ends)
    const warned = expires - issueLimits.certificateDays * dayMs
    if (until < warned) return []
    const isOver = expires <= until
    return issueOf('certificate_expiring', id, {
      severity: isOver ? 'critical' : 'warning',
      since: new Date(warned),
      ended: time_deleted,
      message: `Certificate ${name} of silo ${silo_name} ${isOver ? 'expired' : 'expires'} on ${new Date(expires).toISOString().slice(0, 10)}.`,
      next_step: 'Add a renewed certificate to the silo, then delete this one.',
      touches: [touched('certificate', id, name, { silo_name })],
    })
  })
  return found.slice(0, readLimit)
}

/** Certificates whose chain expires soon. Empty where certificates cannot be parsed, as in a browser. */
export const certificateIssues: IssueSource = {
  kind: 'certificate_expiring',
  open: async (cx) =>
    issuesOf(
      cx,
      (await certificates(cx)).filter(({ time_deleted }) => time_deleted === null),
    ),
  // Deleting a certificate leaves its row, which tells what it was.
  past: async (cx) =>
    issuesOf(
      cx,
      (await certificates(cx)).filter(({ time_deleted }) => time_deleted !== null),
    ),
}
