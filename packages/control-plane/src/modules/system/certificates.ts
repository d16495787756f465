import { issueLimits } from '@gantry/api/system.rules'
import type { SystemIssue } from '@gantry/api/system'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../kernel/cx.ts'
import { hoursBefore, type IssueSource, issueOf, readLimit, touched } from './issue.ts'

const dayMs = 24 * 3_600_000

const certificates = (cx: Cx) =>
  cx.db
    .selectFrom('certificate')
    .innerJoin('silo', 'silo.id', 'certificate.silo_id')
    .select(['certificate.id', 'certificate.name', 'certificate.cert', 'certificate.time_deleted'])
    .select('silo.name as silo_name')
    .orderBy('silo.name')
    .orderBy('certificate.name')
    .orderBy('certificate.id')

type Found = Pick<Row<'certificate'>, 'id' | 'name' | 'cert' | 'time_deleted'> & { silo_name: string }

/** An issue from thirty days before the first certificate of the chain expires, until the chain is deleted. */
function issuesOf(cx: Cx, rows: readonly Found[]): SystemIssue[] {
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
  open: async (cx) => {
    if (!cx.services.certificates) return []
    return issuesOf(cx, await certificates(cx).where('certificate.time_deleted', 'is', null).execute())
  },
  // Deleting a certificate leaves its row, which tells what it was.
  past: async (cx) => {
    if (!cx.services.certificates) return []
    const since = hoursBefore(cx.now(), issueLimits.pastDays * 24)
    return issuesOf(cx, await certificates(cx).where('certificate.time_deleted', '>', since).execute())
  },
}
