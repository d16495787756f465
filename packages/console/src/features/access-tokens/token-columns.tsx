import { CopyableId } from '#/ui/CopyButton.tsx'
import type { Column } from '#/ui/column.ts'
import { Term } from '#/ui/Term.tsx'
import { createdColumn } from '#/features/common/columns.tsx'
import { Expiry } from './Expiry.tsx'
import type { AccessToken } from './queries.ts'

export const tokenColumns: Column<AccessToken>[] = [
  {
    id: 'id',
    header: (
      <Term tip="ID of this record. The token itself is shown once, on the device that requested it.">
        ID
      </Term>
    ),
    part: 'name',
    cell: ({ id }) => <CopyableId id={id} max={36} />,
  },
  createdColumn<AccessToken>(),
  {
    id: 'expires',
    header: 'Expires',
    part: 'meta',
    cell: ({ timeExpires }) => (timeExpires ? <Expiry value={timeExpires} /> : 'Never'),
  },
]
