import { browserKeysInWords, canBrowsersUse } from '@gantry/api/people/certificate.rules'
import type { CertificateDescription } from '@gantry/api/people/silo-contents'
import { nameColumn, plainNameColumn } from '#/kit/list/columns.tsx'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import type { Column } from '#/ui/data/column.ts'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { formatDate } from '#/ui/data/format.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import { Tag, TagList } from '#/ui/data/Tag.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import type { ShownCertificate } from './shown.ts'

/** The fields of each certificate; names only from a server that cannot parse certificates. */
export const certificateColumns = <Row extends ShownCertificate>(
  linkOf?: (row: Row) => LinkTarget,
): Column<Row>[] => [
  linkOf ? nameColumn<Row>(linkOf, { over: true }) : plainNameColumn<Row>(),
  {
    id: 'hosts',
    header: 'Host names',
    part: 'meta',
    cell: ({ certificate }) =>
      certificate && certificate.dnsNames.length > 0 ? (
        <TagList
          caption="Other host names"
          items={certificate.dnsNames.map((host) => ({
            key: host,
            tag: <Tag mono>{host}</Tag>,
            text: host,
          }))}
        />
      ) : (
        <EmptyCell />
      ),
  },
  {
    id: 'life',
    header: 'State',
    part: 'state',
    cell: ({ certificate }) => (certificate ? <CertificateLife life={certificate.life} /> : <EmptyCell />),
  },
  {
    id: 'expires',
    header: 'Expires',
    part: 'meta',
    cell: ({ certificate }) => (certificate ? <DateTime value={certificate.timeExpires} /> : <EmptyCell />),
  },
]

type Life = CertificateDescription['life']

const looks: Record<Life, readonly [StateFamily, string]> = {
  pending: ['idle', 'Not valid yet'],
  valid: ['ok', 'Valid'],
  expiring: ['care', 'Expires soon'],
  expired: ['fail', 'Expired'],
}

/** Whether a certificate is valid, with a warning 30 days before it expires. */
export function CertificateLife({ life }: { life: Life }) {
  const [family, words] = looks[life]
  return <StatePlate family={family}>{words}</StatePlate>
}

/**
 * Warns of every certificate that has expired, expires within 30 days, is not valid yet, is for another host, or
 * has a key that browsers cannot use.
 */
export function CertificateNotes({ certificates }: { certificates: readonly ShownCertificate[] }) {
  const notes = certificates.flatMap(({ id, name, certificate }) => {
    if (!certificate) return []
    const { life, timeValidFrom, timeExpires, isForSilo, key } = certificate
    const on = formatDate(timeExpires)
    return [
      ...(life === 'expired' ? [{ id, text: `${name} expired on ${on}. Add a renewed certificate.` }] : []),
      ...(life === 'expiring' ? [{ id, text: `${name} expires on ${on}. Renew it before then.` }] : []),
      ...(life === 'pending'
        ? [{ id, text: `${name} is valid from ${formatDate(timeValidFrom)}, and not used before then.` }]
        : []),
      ...(key === '' || canBrowsersUse(key)
        ? []
        : [
            {
              id: `${id}-key`,
              text: `Browsers cannot use the key of ${name} (${key}). Add a certificate with ${browserKeysInWords}.`,
            },
          ]),
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
