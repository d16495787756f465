import { type Dated, orNull, reshaped, string } from '../dated.ts'

/** The same texts, of which descriptions then listed all. */
export const methodOfAuthentication: Dated = {
  version: 2026011500,
  types: {
    AuditLogEntry: {
      schema: (newer) => reshaped(newer, ['auth_method'], { auth_method: orNull(string) }),
    },
  },
}
