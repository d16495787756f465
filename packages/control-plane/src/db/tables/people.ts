import type { certificateServices } from '@gantry/api/people/certificate.rules'
import type { FavouriteKind } from '@gantry/api/views/favourite.rules'
import type { ListPreference } from '@gantry/api/views/list-preference'
import type { FleetRoleName, RoleName } from '@gantry/api/base/roles.rules'
import type { IdentityMode } from '@gantry/api/people/silo.rules'
import type { Generated } from 'kysely'
import type { Defaulted, Json, Named, Protectable, Taggable, Tracked } from './column-types.ts'

interface SiloTable extends Taggable {
  discoverable: boolean
  identity_mode: IdentityMode
  mapped_fleet_roles: Json<Partial<Record<RoleName, FleetRoleName[]>>>
  /** The group that has the role of an admin of the silo, by the name that the identity provider gives it. */
  admin_group_name: Defaulted<string | null>
}
interface SiloQuotasTable {
  silo_id: string
  generation: Generated<number>
  cpus: number
  memory: number
  storage: number
}
/** Resources in use by a silo or a project (control plane reference, B 17.2). */
interface ProvisioningTable {
  id: string
  kind: 'silo' | 'project'
  cpus: Defaulted<number>
  memory: Defaulted<number>
  storage: Defaulted<number>
  /** Bytes in the recycle bins of a silo, which make room for what is created. */
  recycled: Defaulted<number>
}
interface PersonTable extends Tracked {
  silo_id: string
  external_id: string
  /** The name without regard to case, of those that an identity provider manages by SCIM. */
  folded_name: Defaulted<string | null>
  /** Their id at the identity provider. */
  scim_external_id: Defaulted<string | null>
}
interface UserTable extends PersonTable {
  /** Whether the user may sign in. */
  is_active: Defaulted<boolean>
  is_service_account: Defaulted<boolean>
  /** The project outside of which the user has no roles. */
  within_project_id: Defaulted<string | null>
}
/** A member of a silo without a person, whose id is that of its user. */
interface ServiceAccountTable extends Named {
  silo_id: string
  project_id: string | null
}
interface SiloGroupMembershipTable {
  silo_group_id: string
  silo_user_id: string
}
interface RoleAssignmentTable {
  resource_type: 'fleet' | 'silo' | 'project'
  resource_id: string
  identity_type: 'silo_user' | 'silo_group'
  identity_id: string
  role_name: RoleName
}
/** The assignments of one resource as a whole; the generation detects concurrent edits. */
interface PolicyTable {
  resource_type: RoleAssignmentTable['resource_type']
  resource_id: string
  generation: number
}
/** By which an identity provider manages the users and groups of a silo. */
interface ScimTokenTable extends Tracked {
  silo_id: string
  time_expires: Defaulted<Date | null>
}
/** Separate from its token, so that no history or view can expose it. */
interface ScimTokenSecretTable {
  scim_token_id: string
  /** SHA-256 in hex. */
  token_hash: string
}
interface CertificateTable extends Named {
  silo_id: string
  service: (typeof certificateServices)[number]
  cert: string
}
/** Separate from its certificate, so that no history or view can expose it. */
interface CertificateKeyTable {
  certificate_id: string
  key: string
}
interface UserBuiltinTable {
  id: string
  name: string
  description: string
  time_created: Date
  time_modified: Date
  time_deleted: Date | null
}
interface ProjectTable extends Protectable {
  silo_id: string
}
interface SshKeyTable extends Named {
  silo_user_id: string
  public_key: string
}
interface ListPreferenceTable {
  silo_user_id: string
  list: string
  columns: Json<ListPreference['columns']>
  is_dense: boolean
  page_size: number
  views: Json<ListPreference['views']>
}
/** How a user uses a shared view. What is gone, or hidden from the user, stays until the user chooses again. */
interface SharedViewChoiceTable {
  silo_user_id: string
  shared_view_id: string
  /** Among those of its list. */
  position: number
  is_pinned: boolean
  is_default: boolean
}
/** A view of a list that others use too. Without a project, it is its silo's. */
interface SharedViewTable extends Tracked {
  name: string
  silo_id: string
  project_id: string | null
  /** The user who created it. */
  shared_by: string
  list: string
  filter: string
  sort: string
  columns: Json<ListPreference['columns']>
}
interface FavouriteTable {
  silo_user_id: string
  object_id: string
  kind: FavouriteKind
  time_created: Date
}
export interface CounterTable {
  name: string
  value: number
}

export interface PeopleTracked {
  silo: SiloTable
  silo_user: UserTable
  silo_group: PersonTable
  certificate: CertificateTable
  project: ProjectTable
  ssh_key: SshKeyTable
  service_account: ServiceAccountTable
  shared_view: SharedViewTable
  scim_token: ScimTokenTable
}

export interface PeoplePlain {
  silo_quotas: SiloQuotasTable
  provisioning: ProvisioningTable
  policy: PolicyTable
  list_preference: ListPreferenceTable
  shared_view_choice: SharedViewChoiceTable
  favourite: FavouriteTable
  certificate_key: CertificateKeyTable
  scim_token_secret: ScimTokenSecretTable
  user_builtin: UserBuiltinTable
  counter: CounterTable
}

/** Role assignments: written only through `Change.roles`, so that no cached role outlives its revocation. */
export interface RoleTables {
  role_assignment: RoleAssignmentTable
  silo_group_membership: SiloGroupMembershipTable
}
