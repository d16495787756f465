/** Sort modes of the audit log, by the time at which an operation ended; the first is the default. */
export const timeAndIdSorts = ['time_and_id_ascending', 'time_and_id_descending'] as const

/** What the log shows as the user of a request without one, and takes as a filter. */
export const notSignedIn = 'Not signed in'

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
