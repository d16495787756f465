import { z } from 'zod'
import { actions } from '../extensions.rules.ts'
import { Group, User } from '../people/me.ts'
import { family, get, type Kind, post } from '../op.ts'
import { accessSorts, checkedObjects, levels, maxChecks } from './permission.rules.ts'
import { nameMaxLength } from './name.rules.ts'
import { roleOrder } from './roles.rules.ts'
import { list, maybe, Name, named, NameOrId, pageOf, paging, text, Uuid } from '../schema.ts'
import { externalIdMaxLength } from '../people/silo.rules.ts'

const Role = z.enum(roleOrder)
const Level = named('RoleLevel', z.enum(levels))
const GroupName = named('GroupName', z.object({ id: Uuid, display_name: z.string() }))

/** One source of a role on an object. */
export const RoleSource = named(
  'RoleSource',
  z.object({
    /** The resulting role. */
    role_name: Role,
    /**
     * The level of the assignment: a silo role also applies in its projects, and may be mapped to the fleet.
     */
    assigned_on: Level,
    /** The assigned role. */
    assigned_role: Role,
    /** The group that holds the assignment; null for a direct one. */
    group: GroupName.nullable(),
  }),
)
export type RoleSource = z.infer<typeof RoleSource>

const effective = {
  /** The strongest role; null if there is none. */
  role_name: Role.nullable(),
  /** All sources of a role, strongest first. */
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
    /** Null if the caller may not read the fleet's policy. */
    fleet: EffectiveRole.nullable(),
    silo: EffectiveRole,
    /** The role that the silo role gives in every project. */
    every_project: EffectiveRole,
    /** The requested project; otherwise those with their own assignments that the caller may read. */
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
    /**
     * The level whose role allows it; `member` is every user of the silo, `owner` the owner of the object.
     */
    by: z.enum([...levels, 'member', 'owner']),
    /** The source of the caller's role; null for members and owners. */
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
    /** The sentence shown beside a forbidden action. */
    reason: z.string().nullable(),
    /** The grant that allows the action; null if none does. */
    grant: Grant.nullable(),
    /** Sufficient roles; empty if the action is allowed, or no role allows it. */
    missing: z.array(Missing),
  }),
)
export type PermissionVerdict = z.infer<typeof Verdict>

/** A page token carries part of a name and the last name on the page. */
export const accessPageTokenMax = 4096
const accessQuery = z.object({
  ...paging(accessPageTokenMax),
  sort_by: maybe(named('AccessSortMode', z.enum(accessSorts))),
  /** A silo other than the caller's own, for callers who may read it. */
  silo: maybe(NameOrId),
  /** Also returns their roles on this project. */
  project: maybe(NameOrId),
  /** Part of the name, ignoring case. */
  name: maybe(text(externalIdMaxLength, `expected at most ${externalIdMaxLength} characters`)),
})

/** Their silo, if not the caller's own. */
const ofPerson = z.object({ silo: maybe(NameOrId), project: maybe(NameOrId) })

/** The kinds that access views are made of. */
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
    onlyReads: true,
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
    query: ofPerson,
    returns: EffectiveRoles,
  }),
  groupEffectiveRoles: get('/ext/v1/groups/{group_id}/effective-roles', {
    summary: "Fetch a group's roles and their sources",
    path: z.object({ group_id: Uuid }),
    query: ofPerson,
    returns: EffectiveRoles,
  }),
})
