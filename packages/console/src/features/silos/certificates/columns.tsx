import { nameColumn, plainNameColumn } from '#/features/common/columns.tsx'
import type { LinkTarget } from '#/features/common/link-target.ts'
import type { Column } from '#/ui/column.ts'
import { DateTime } from '#/ui/DateTime.tsx'
import { Tag, TagList } from '#/ui/Tag.tsx'
import { EmptyCell } from '#/ui/Truncate.tsx'
import { CertificateLife } from './CertificateLife.tsx'
import type { ShownCertificate } from './shown.ts'

/** The fields of each certificate; names only from a server that cannot parse certificates. */
export const certificateColumns = <Row extends ShownCertificate>(
  linkOf?: (row: Row) => LinkTarget,
): Column<Row>[] => [
  linkOf ? nameColumn<Row>(linkOf) : plainNameColumn<Row>(),
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
