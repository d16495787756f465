import { type RoleName, roleCovers } from '@gantry/api/roles.rules'

/** What the roles of a project come to, each with the weakest that will do. */
const abilities: readonly { what: string; needs: RoleName }[] = [
  { what: 'See the project and what is in it', needs: 'viewer' },
  { what: 'Create, change and delete what is in it', needs: 'collaborator' },
  { what: 'Rename or delete the project, and decide who has access', needs: 'admin' },
]

export interface Ability {
  what: string
  /** The role that is missing for it. */
  lacks?: RoleName
}

export const abilitiesOf = (role: RoleName | null): Ability[] =>
  abilities.map(({ what, needs }) =>
    roleCovers(role ?? undefined, needs) ? { what } : { what, lacks: needs },
  )
