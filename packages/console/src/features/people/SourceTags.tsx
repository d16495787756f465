import type { Level } from '@gantry/api/permission.rules'
import { Tag, TagList } from '#/ui/Tag.tsx'
import { EmptyCell } from '#/ui/Truncate.tsx'
import { roleText } from '#/features/access/role-words.ts'
import type { EffectiveRole } from './queries.ts'
import { type PlaceNames, sourceWords } from './source-words.ts'

interface Props {
  level: Level
  role: EffectiveRole
  names: PlaceNames
}

/** The effective role with its source; further sources are behind `+N`. */
export function SourceTags({ level, role, names }: Props) {
  if (role.sources.length === 0) return <EmptyCell />
  return (
    <TagList
      caption="Other roles"
      items={role.sources.map((source) => {
        const words = sourceWords(source, names)
        return {
          key: words,
          tag: (
            <>
              <Tag>{roleText(level, source.roleName)}</Tag>
              {source.group && <span className="text-muted"> through {source.group.displayName}</span>}
            </>
          ),
          text: words,
        }
      })}
    />
  )
}
