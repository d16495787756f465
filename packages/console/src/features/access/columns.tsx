import type { ReactNode } from 'react'
import type { Column } from '#/ui/data/column.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import type { AccessRow } from './rows.ts'
import { Tag, TagList } from '#/ui/data/Tag.tsx'
import { roleText } from './role-words.tsx'

/** Columns shared by both lists of roles. */
export const accessColumns = (roleHead: ReactNode): Column<AccessRow>[] => [
  {
    id: 'name',
    header: 'Name',
    width: '45%',
    cell: ({ name, id }) =>
      name ? (
        <span className="font-medium text-strong">{name}</span>
      ) : (
        // An id never takes the place of a name: an unknown name stays empty, with the id below.
        <>
          <EmptyCell />
          <span className="block truncate font-mono text-xs text-muted">{id}</span>
        </>
      ),
  },
  {
    id: 'type',
    header: 'Type',
    part: 'meta',
    cell: ({ type }) => (type === 'silo_group' ? 'Group' : 'User'),
  },
  { id: 'role', header: roleHead, part: 'state', cell: ({ roles }) => <RoleTags roles={roles} /> },
]

/** The strongest role; the others are in a tooltip. */
function RoleTags({ roles }: Pick<AccessRow, 'roles'>) {
  return (
    <TagList
      caption="Other roles"
      items={roles.map(({ level, role }) => {
        const text = roleText(level, role)
        return { key: text, tag: <Tag>{text}</Tag>, text }
      })}
    />
  )
}
