import type { Row } from '../../db/tables.ts'

export const personView = ({
  id,
  external_id,
  silo_id,
  time_created,
  time_modified,
}: Pick<Row<'silo_group'>, 'id' | 'external_id' | 'silo_id' | 'time_created' | 'time_modified'>) => ({
  id,
  display_name: external_id,
  silo_id,
  time_created: time_created.toISOString(),
  time_modified: time_modified.toISOString(),
})
