/** Where roles are assigned. */
export const levels = ['fleet', 'silo', 'project'] as const
export type Level = (typeof levels)[number]

/**
 * What a check may be about. Users, groups, images, identity providers, certificates, and the sessions and tokens of
 * other people, stand for all of their kind in a silo; `id` names the silo then, the caller's own where it is left out.
 */
export const checkedObjects = [
  'fleet',
  'silo',
  'silo_user',
  'silo_group',
  'silo_image',
  'identity_provider',
  'user_credentials',
  'certificate',
  'project',
] as const
export type CheckedObject = (typeof checkedObjects)[number]

/** Most checks in one request. */
export const maxChecks = 100

/** Orders of the lists of users and groups; the first is the default. */
export const accessSorts = ['name_ascending', 'name_descending'] as const
export type AccessSort = (typeof accessSorts)[number]
