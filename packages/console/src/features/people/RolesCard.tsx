import { Card } from '#/ui/Card.tsx'
import type { Roles } from './queries.ts'
import { RoleLine } from './RoleLine.tsx'

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
