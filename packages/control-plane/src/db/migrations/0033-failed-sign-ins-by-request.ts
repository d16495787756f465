import type { Migration } from './migration.ts'

/** The audit log shows the name tried by a failed sign-in, and the device that asked for a token. */
export const failedSignInsByRequest: Migration = {
  id: '0033-failed-sign-ins-by-request',
  statements: [
    `ALTER TABLE failed_sign_in ADD COLUMN request_id text`,
    `CREATE INDEX failed_sign_in_request ON failed_sign_in (request_id) WHERE request_id IS NOT NULL`,
    `CREATE INDEX failed_sign_in_name ON failed_sign_in (username, time)`,
    `ALTER TABLE device_auth_request ADD COLUMN source_ip text`,
    `ALTER TABLE device_auth_request ADD COLUMN user_agent text`,
  ],
}
