import type { RoleAssignment } from '@gantry/api/people/policy'
import type { TrackedName } from '../../db/tables.ts'

/** The rows that were deleted with every object, by table. */
export interface Parts {
  removed?: Partial<Record<TrackedName, string[]>>
}

/** What an instance had besides its own rows, as ids. */
export interface InstanceParts extends Parts {
  disks: string[]
  floating_ips: string[]
  /** None in what was deleted before they were kept. */
  external_subnets?: string[]
  /** Affinity and anti-affinity groups. */
  groups: string[]
  ssh_keys: string[]
}

export interface ProjectParts extends Parts {
  roles: RoleAssignment[]
}

export interface VpcParts extends Parts {
  /** Of its list of rules, so that an ETag of before names the same list. */
  firewall_generation: number
}
