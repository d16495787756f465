import type { ReactNode } from 'react'
import type { Column } from '#/ui/column.ts'
import { EmptyCell } from '#/ui/Truncate.tsx'
import type { AccessRow } from './rows.ts'
import { Tag, TagList } from '#/ui/Tag.tsx'
import { roleText } from './role-words.ts'

/** What both lists of roles show. */
export const accessColumns = (roleHead: ReactNode): Column<AccessRow>[] => [
  {
    id: 'name',
    header: 'Name',
    width: '45%',
    cell: ({ name, id }) =>
      name ? (
        <span className="font-medium text-strong">{name}</span>
      ) : (
        // Nothing is called by its id: a name that is not known stays empty, with the id below its place.
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

/** The strongest role; the others fold away behind it. */
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
