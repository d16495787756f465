import { Tag, TagList } from '../../ui/Tag.tsx'
import { roleText } from './role-words.ts'
import type { AccessRow } from './rows.ts'

/** The strongest role; the others fold away behind it. */
export function RoleTags({ roles }: Pick<AccessRow, 'roles'>) {
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
