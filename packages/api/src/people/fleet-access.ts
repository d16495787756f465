import { z } from 'zod'
import { User } from './me.ts'
import { family, get } from '../op.ts'
import { accessPageTokenMax, EffectiveRole } from '../base/permission.ts'
import { accessSorts } from '../base/permission.rules.ts'
import { FleetRole, IdentityType, SiloRole } from './policy.ts'
import { maybe, Name, named, pageOf, paging, text, Uuid } from '../schema.ts'
import { externalIdMaxLength } from './silo.rules.ts'

const SiloName = named('SiloName', z.object({ id: Uuid, name: Name }))

export const FleetAccess = named(
  'FleetAccess',
  z.object({
    /** The fleet's policy, in its order. */
    assignments: z.array(
      z.object({
        identity_type: IdentityType,
        identity_id: Uuid,
        role_name: FleetRole,
        /** Both null if the user or group no longer exists. */
        display_name: z.string().nullable(),
        silo: SiloName.nullable(),
      }),
    ),
    /** One entry for each pair of every silo's mapping, by silo. */
    mappings: z.array(z.object({ silo: SiloName, silo_role: SiloRole, fleet_role: FleetRole })),
  }),
)
export type FleetAccess = z.infer<typeof FleetAccess>

export const FleetUser = named(
  'FleetUser',
  z.object({ ...User.shape, silo_name: Name, fleet: EffectiveRole }),
)
export type FleetUser = z.infer<typeof FleetUser>

export const fleetAccessOps = family('extensions', ['policy', 'silo', 'silo-user', 'silo-group'], {
  fleetAccessView: get('/ext/v1/fleet-access', {
    summary: 'Fetch the fleet roles that are assigned and mapped, with names',
    returns: FleetAccess,
  }),
  fleetUserList: get('/ext/v1/fleet-users', {
    summary: 'List users of all silos who hold a fleet role, with its sources',
    query: z.object({
      ...paging(accessPageTokenMax),
      sort_by: maybe(named('FleetUserSortMode', z.enum(accessSorts))),
      /** Part of the name, ignoring case. */
      name: maybe(text(externalIdMaxLength, `expected at most ${externalIdMaxLength} characters`)),
    }),
    sorts: accessSorts,
    returns: pageOf('FleetUser', FleetUser),
  }),
})
