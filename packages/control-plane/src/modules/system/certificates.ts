import { issueLimits } from '@gantry/api/system.rules'
import { type IssueSource, issueOf, readLimit, touched } from './issue.ts'

const dayMs = 24 * 3_600_000

/** Certificates whose chain expires soon. Empty where certificates cannot be parsed, as in a browser. */
export const certificateIssues: IssueSource = {
  kind: 'certificate_expiring',
  open: async (cx) => {
    const { certificates } = cx.services
    if (!certificates) return []
    const rows = await cx.db
      .selectFrom('certificate')
      .innerJoin('silo', 'silo.id', 'certificate.silo_id')
      .select(['certificate.id', 'certificate.name', 'certificate.cert', 'silo.name as silo_name'])
      .where('certificate.time_deleted', 'is', null)
      .orderBy('silo.name')
      .orderBy('certificate.name')
      .execute()
    const now = cx.now()
    return rows
      .flatMap(({ id, name, cert, silo_name }) => {
        const ends = (certificates.readChain(cert) ?? []).map(({ notAfter }) => notAfter.getTime())
        if (ends.length === 0) return []
        const expires = Math.min(...ends)
        const warned = expires - issueLimits.certificateDays * dayMs
        if (now.getTime() < warned) return []
        const isOver = expires <= now.getTime()
        return issueOf('certificate_expiring', id, {
          severity: isOver ? 'critical' : 'warning',
          since: new Date(warned),
          message: `Certificate ${name} of silo ${silo_name} ${isOver ? 'expired' : 'expires'} on ${new Date(expires).toISOString().slice(0, 10)}.`,
          next_step: 'Add a renewed certificate to the silo, then delete this one.',
          touches: [touched('certificate', id, name, { silo_name })],
        })
      })
      .slice(0, readLimit)
  },
}
