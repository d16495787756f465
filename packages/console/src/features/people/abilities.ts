import { type RoleName, roleCovers } from '@gantry/api/roles.rules'

/** What project roles permit, each with the weakest role that suffices. */
const abilities: readonly { what: string; needs: RoleName }[] = [
  { what: 'View the project and its resources', needs: 'viewer' },
  { what: 'Create, change and delete its resources', needs: 'collaborator' },
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
