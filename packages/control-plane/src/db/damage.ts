/** PostgreSQL's codes for missing, truncated or corrupt files: XX001, XX002, 58P01 and 58030. */
const damageCodes: ReadonlySet<unknown> = new Set(['XX001', 'XX002', '58P01', '58030'])

/** Whether a statement hit a damaged database file. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error && damageCodes.has((error as { code?: unknown }).code)
