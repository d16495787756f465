import type { Level } from '@gantry/api/permission.rules'
import { Tag } from '#/ui/Tag.tsx'
import { roleText } from '#/features/access/role-words.ts'
import type { EffectiveRole } from './queries.ts'
import { type PlaceNames, sourceWords } from './source-words.ts'

interface Props {
  /** The object of the role: `Silo demo`. */
  on: string
  level: Level
  role: EffectiveRole
  names: PlaceNames
}

/** The effective role on an object, and every source of a role, the strongest first. */
export function RoleLine({ on, level, role, names }: Props) {
  return (
    <li className="border-t border-faint-line px-3.5 py-2.5">
      <div className="flex items-center gap-3">
        <span className="min-w-0 grow font-medium text-strong wrap-anywhere">{on}</span>
        {role.roleName ? (
          <Tag>{roleText(level, role.roleName)}</Tag>
        ) : (
          <span className="text-sm text-muted">No role</span>
        )}
      </div>
      {role.sources.map((source) => {
        const words = sourceWords(source, names)
        return (
          <p key={words} className="text-sm text-muted wrap-anywhere">
            {words}
          </p>
        )
      })}
    </li>
  )
}
