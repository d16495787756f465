import { z } from 'zod'
import { actions } from './extensions.rules.ts'
import { Group, User } from './me.ts'
import { family, get, type Kind, post } from './op.ts'
import { accessSorts, checkedObjects, levels, maxChecks } from './permission.rules.ts'
import { nameMaxLength } from './name.rules.ts'
import { roleOrder } from './roles.rules.ts'
import { list, maybe, Name, named, NameOrId, pageOf, paging, text, Uuid } from './schema.ts'
import { externalIdMaxLength } from './silo.rules.ts'

const Role = z.enum(roleOrder)
const Level = named('RoleLevel', z.enum(levels))
const GroupName = named('GroupName', z.object({ id: Uuid, display_name: z.string() }))

/** Why somebody has a role on something. */
export const RoleSource = named(
  'RoleSource',
  z.object({
    /** The role that it brings there. */
    role_name: Role,
    /** Where the assignment stands: a role on the silo counts in its projects, and may be mapped to the fleet. */
    assigned_on: Level,
    /** The role that is assigned there. */
    assigned_role: Role,
    /** The group that holds the assignment; null where the person does. */
    group: GroupName.nullable(),
  }),
)
export type RoleSource = z.infer<typeof RoleSource>

const effective = {
  /** The strongest of all; null where there is none. */
  role_name: Role.nullable(),
  /** Everything that brings a role, the strongest first. */
  sources: z.array(RoleSource),
}
export const EffectiveRole = named('EffectiveRole', z.object(effective))
export type EffectiveRole = z.infer<typeof EffectiveRole>
export const EffectiveProjectRole = named(
  'EffectiveProjectRole',
  z.object({ id: Uuid, name: Name, ...effective }),
)
export type EffectiveProjectRole = z.infer<typeof EffectiveProjectRole>

export const EffectiveRoles = named(
  'EffectiveRoles',
  z.object({
    /** Null where the caller may not see the fleet's policy. */
    fleet: EffectiveRole.nullable(),
    silo: EffectiveRole,
    /** What the role on the silo brings in each of its projects. */
    every_project: EffectiveRole,
    /** The project that was asked for; else those with assignments of their own, as far as the caller may see them. */
    projects: z.array(EffectiveProjectRole),
  }),
)
export type EffectiveRoles = z.infer<typeof EffectiveRoles>

export const UserAccess = named(
  'UserAccess',
  z.object({ ...User.shape, groups: z.array(GroupName), roles: EffectiveRoles }),
)
export type UserAccess = z.infer<typeof UserAccess>
export const GroupAccess = named(
  'GroupAccess',
  z.object({ ...Group.shape, member_count: z.number().int(), roles: EffectiveRoles }),
)
export type GroupAccess = z.infer<typeof GroupAccess>

const Check = named(
  'PermissionCheck',
  z.object({ action: z.enum(actions), object: z.enum(checkedObjects), id: maybe(text(nameMaxLength)) }),
)
export type PermissionCheck = z.infer<typeof Check>
const Grant = named(
  'PermissionGrant',
  z.object({
    /** The level whose role allows it; `member` is everybody of the silo, `owner` whom the thing belongs to. */
    by: z.enum([...levels, 'member', 'owner']),
    /** Why the caller has that role; null for members and owners. */
    source: RoleSource.nullable(),
  }),
)
const Missing = named(
  'MissingRole',
  z.object({
    role_name: Role,
    on: Level,
    /** The silo's or the project's name; null for the fleet. */
    name: Name.nullable(),
  }),
)
const Verdict = named(
  'PermissionVerdict',
  z.object({
    allowed: z.boolean(),
    /** The sentence a person reads beside what is not allowed. */
    reason: z.string().nullable(),
    /** What allows it; null where nothing does. */
    grant: Grant.nullable(),
    /** Roles any one of which would do; empty where it is allowed, and where no role would. */
    missing: z.array(Missing),
  }),
)
export type PermissionVerdict = z.infer<typeof Verdict>

/** A page token carries part of a name and the last name given. */
export const accessPageTokenMax = 4096
const accessQuery = z.object({
  ...paging(accessPageTokenMax),
  sort_by: maybe(named('AccessSortMode', z.enum(accessSorts))),
  /** Another silo than the caller's own, for those who may read it. */
  silo: maybe(NameOrId),
  /** Tells their roles on this project too. */
  project: maybe(NameOrId),
  /** Part of the name, in upper or lower case. */
  name: maybe(text(externalIdMaxLength, `expected at most ${externalIdMaxLength} characters`)),
})

/** What people, groups and their roles are made of. */
const accessKinds: readonly Kind[] = ['silo-user', 'silo-group', 'silo', 'policy', 'project']

export const permissionOps = family('extensions', accessKinds, {
  permissionCheck: post('/ext/v1/can', {
    changes: [],
    summary: 'Check what you may do, and by which role',
    body: named('PermissionChecks', z.object({ checks: list(Check, maxChecks) })),
    returns: named('PermissionVerdicts', z.object({ verdicts: z.array(Verdict) })),
    status: 200,
    reads: ['policy', 'silo', 'silo-group', 'silo-user'],
    audited: false,
  }),
  userAccessList: get('/ext/v1/users', {
    summary: 'List users of a silo with their groups, roles and role sources',
    query: accessQuery.extend({ group: maybe(Uuid) }),
    sorts: accessSorts,
    returns: pageOf('UserAccess', UserAccess),
  }),
  groupAccessList: get('/ext/v1/groups', {
    summary: 'List groups of a silo with their size, roles and role sources',
    query: accessQuery,
    sorts: accessSorts,
    returns: pageOf('GroupAccess', GroupAccess),
  }),
  userEffectiveRoles: get('/ext/v1/users/{user_id}/effective-roles', {
    summary: "Fetch a user's roles and their sources",
    path: z.object({ user_id: Uuid }),
    query: z.object({ project: maybe(NameOrId) }),
    returns: EffectiveRoles,
  }),
  groupEffectiveRoles: get('/ext/v1/groups/{group_id}/effective-roles', {
    summary: "Fetch a group's roles and their sources",
    path: z.object({ group_id: Uuid }),
    query: z.object({ project: maybe(NameOrId) }),
    returns: EffectiveRoles,
  }),
})
