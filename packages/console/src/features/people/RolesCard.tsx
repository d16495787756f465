import type { Level } from '@gantry/api/base/permission.rules'
import { roleText } from '#/features/access/role-words.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import type { EffectiveRole, Roles } from './queries.ts'
import { type ScopeNames, sourceWords } from './words.ts'

/** The roles of a user or group that the reader may see, and their sources. */
export function RolesCard({ roles, silo }: { roles: Roles; silo: string }) {
  const names = { silo }
  return (
    <Card title="Roles" description="Effective roles, and where each comes from." flush>
      <ul>
        {roles.fleet && <RoleLine on="Fleet" level="fleet" role={roles.fleet} names={names} />}
        <RoleLine on={`Silo ${silo}`} level="silo" role={roles.silo} names={names} />
        <RoleLine on="Every project" level="project" role={roles.everyProject} names={names} />
        {roles.projects.map((project) => (
          <RoleLine
            key={project.id}
            on={`Project ${project.name}`}
            level="project"
            role={project}
            names={{ silo, project: project.name }}
          />
        ))}
      </ul>
    </Card>
  )
}

interface Props {
  /** The object of the role: `Silo demo`. */
  on: string
  level: Level
  role: EffectiveRole
  names: ScopeNames
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
