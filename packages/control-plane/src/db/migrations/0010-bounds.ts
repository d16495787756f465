import type { Migration } from '../migrate.ts'

/**
 * Texts that had no maximum before and are in lists: one image could say a megabyte of its operating system, and a list
 * of such images ended the database. What is cut was never a name.
 */
export const bounds: Migration = {
  id: '0010-bounds',
  statements: ['image', 'image_upload'].map(
    (table) =>
      `UPDATE ${table} SET os = left(os, 128), version = left(version, 128) WHERE length(os) > 128 OR length(version) > 128`,
  ),
}
