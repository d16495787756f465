import type { Migration } from './migration.ts'

/** A device whose user said no is told so when it asks for its token (RFC 8628, 3.5). */
export const deniedDevices: Migration = {
  id: '0042-denied-devices',
  statements: [`ALTER TABLE device_auth_request ADD COLUMN time_denied timestamptz`],
}
