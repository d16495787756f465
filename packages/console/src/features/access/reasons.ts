import { policyMaxAssignments } from '@gantry/api/roles.rules'
import type { Assignment } from './assignments.ts'
import type { PolicyPlace } from './policy-place.ts'
import type { AccessRow } from './rows.ts'

/** Why nobody can be added: a policy has a length limit. */
export const whyNoMore = (assignments: readonly Assignment[]): string | undefined =>
  assignments.length < policyMaxAssignments
    ? undefined
    : `At most ${policyMaxAssignments} roles can be assigned here. Assign one to a group instead of to many users.`

/** Why a row has no role to change here. */
export const whyNotHere = ({ roles }: AccessRow, level: PolicyPlace['level']): string | undefined =>
  roles.some((one) => one.level === level)
    ? undefined
    : 'This role comes from the silo. Change it under Silo Access.'
