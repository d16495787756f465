/** What PostgreSQL says of files that are missing, cut or changed: XX001, XX002, 58P01 and 58030. */
const damageCodes: ReadonlySet<unknown> = new Set(['XX001', 'XX002', '58P01', '58030'])

/** Whether a statement found a file of the database damaged. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error && damageCodes.has((error as { code?: unknown }).code)
