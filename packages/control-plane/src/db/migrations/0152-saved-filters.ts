import type { Migration } from './migration.ts'

/** A saved query can be the filter of a list, whose matches are counted. */
export const savedFilters: Migration = {
  id: '0152-saved-filters',
  statements: [`ALTER TABLE metric_query ADD COLUMN filter_of text`],
}
