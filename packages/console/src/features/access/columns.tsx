import type { ReactNode } from 'react'
import type { Column } from '../../ui/Table.tsx'
import { RoleTags } from './RoleTags.tsx'
import type { AccessRow } from './rows.ts'

/** What both lists of roles show. */
export const accessColumns = (roleHead: ReactNode): Column<AccessRow>[] => [
  {
    id: 'name',
    header: 'Name',
    width: '45%',
    cell: ({ name }) => <span className="font-medium text-strong">{name}</span>,
  },
  {
    id: 'type',
    header: 'Type',
    part: 'meta',
    cell: ({ type }) => (type === 'silo_group' ? 'Group' : 'User'),
  },
  { id: 'role', header: roleHead, part: 'state', cell: ({ roles }) => <RoleTags roles={roles} /> },
]
