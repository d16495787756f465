/**
 * The database does not answer. What was sent before it went may have been kept all the same, so nothing of it is done
 * again by itself.
 */
export class DatabaseUnreachable extends Error {}
