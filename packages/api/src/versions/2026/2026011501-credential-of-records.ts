import { type Dated, without } from '../dated.ts'

export const credentialOfRecords: Dated = {
  version: 2026011501,
  types: { AuditLogEntry: without('credential_id') },
}
