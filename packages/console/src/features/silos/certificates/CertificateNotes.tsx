import { formatDate } from '#/ui/format.ts'
import { Note } from '#/ui/Note.tsx'
import type { ShownCertificate } from './shown.ts'

/** Warns of every certificate that has expired, expires within 30 days, or is for another host. */
export function CertificateNotes({ certificates }: { certificates: readonly ShownCertificate[] }) {
  const notes = certificates.flatMap(({ id, name, certificate }) => {
    if (!certificate) return []
    const { life, timeExpires, isForSilo } = certificate
    const on = formatDate(timeExpires)
    return [
      ...(life === 'expired' ? [{ id, text: `${name} expired on ${on}. Add a renewed certificate.` }] : []),
      ...(life === 'expiring' ? [{ id, text: `${name} expires on ${on}. Renew it before then.` }] : []),
      ...(isForSilo ? [] : [{ id: `${id}-host`, text: `${name} is not for the host name of this silo.` }]),
    ]
  })
  if (notes.length === 0) return null
  return (
    <div className="mb-3 space-y-2">
      {notes.map(({ id, text }) => (
        <Note key={id} kind="busy">
          {text}
        </Note>
      ))}
    </div>
  )
}
