import type { Migration } from './migration.ts'

/**
 * Texts in lists that had no maximum length: one image could carry a megabyte as its operating system, and a
 * list of such images crashed the database. No genuine name is long enough to be cut.
 */
export const bounds: Migration = {
  id: '0010-bounds',
  statements: ['image', 'image_upload'].map(
    (table) =>
      `UPDATE ${table} SET os = left(os, 128), version = left(version, 128) WHERE length(os) > 128 OR length(version) > 128`,
  ),
}
