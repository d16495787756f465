/** Sort modes of the audit log, by the time at which an operation ended; the first is the default. */
export const timeAndIdSorts = ['time_and_id_ascending', 'time_and_id_descending'] as const

/**
 * What a log shows in place of a user's name, and takes as a filter: of a request without a user, and in a silo's log of
 * a request by a user of another silo.
 */
export const unnamedActors = { unauthenticated: 'Not signed in', operator: 'An operator' } as const
export type UnnamedActor = keyof typeof unnamedActors

/** Whether a filter by user has the words of such an actor. */
export const isUnnamedActor = (filter: string, actor: UnnamedActor): boolean =>
  filter.toLowerCase() === unnamedActors[actor].toLowerCase()

export const auditResults = ['success', 'error'] as const
export type AuditResult = (typeof auditResults)[number]

/** Changes that each record of a list names; a whole record has more. */
export const auditListedChanges = 3
/** Changes that a single record shows, and each record of a list of whole records. */
export const auditShownChanges = 200
export const auditExportedChanges = 20
/** The maximum page size of full records, whatever the requested limit. */
export const auditWholePage = 50

/** Replaces a value that may hold a secret, such as an instance's user data. */
export const notShown = '(not shown)'

/** By what a caller is known. */
export const authMethods = ['session_cookie', 'access_token', 'scim_token'] as const
