/**
 * The database does not respond. Statements sent before may have been committed, so none is retried
 * automatically.
 */
export class DatabaseUnreachable extends Error {}
