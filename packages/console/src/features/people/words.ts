import { roleCovers, type RoleName } from '@gantry/api/base/roles.rules'
import { sentenceCase } from '#/ui/data/format.ts'
import type { Source } from './queries.ts'

/** Display names of the objects that roles are assigned on. */
export interface ScopeNames {
  silo: string
  project?: string
}

function scopeOf({ assignedOn }: Source, { silo, project = '' }: ScopeNames): string {
  if (assignedOn === 'fleet') return 'the fleet'
  return assignedOn === 'silo' ? `silo ${silo}` : `project ${project}`
}

/** The source of a role: `Collaborator on silo demo, through group engineers`. */
export function sourceWords(source: Source, names: ScopeNames): string {
  const assigned = `${sentenceCase(source.assignedRole)} on ${scopeOf(source, names)}`
  return source.group ? `${assigned}, through group ${source.group.displayName}` : assigned
}

/** The permissions of project roles, each with the weakest role that suffices. */
const abilities: readonly { what: string; needs: RoleName }[] = [
  { what: 'View the project and its resources', needs: 'viewer' },
  { what: 'Create, change and delete its resources', needs: 'limited_collaborator' },
  { what: 'Create, change and delete its networks', needs: 'collaborator' },
  { what: 'Rename or delete the project, and manage access', needs: 'admin' },
]

export interface Ability {
  what: string
  /** The role required for it. */
  lacks?: RoleName
}

export const abilitiesOf = (role: RoleName | null): Ability[] =>
  abilities.map(({ what, needs }) =>
    roleCovers(role ?? undefined, needs) ? { what } : { what, lacks: needs },
  )
