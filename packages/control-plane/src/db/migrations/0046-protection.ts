import type { Migration } from './migration.ts'

const below = {
  instance: 'project',
  disk: 'project',
  external_ip: 'project',
  vpc: 'project',
  project: 'silo',
}
const index = (table: string, parent: string): string =>
  `CREATE INDEX ${table}_protected_in_${parent} ON ${table} (${parent}_id, id)
    WHERE protection IS NOT NULL AND time_deleted IS NULL`

/** Why an object is not to be deleted or stopped, and who said so. */
export const protection: Migration = {
  id: '0046-protection',
  statements: [
    ...[...Object.keys(below), 'image'].map((table) => `ALTER TABLE ${table} ADD COLUMN protection jsonb`),
    ...Object.entries(below).map(([table, parent]) => index(table, parent)),
    index('image', 'project'),
    index('image', 'silo'),
  ],
}
