import type { Row } from '../../db/tables.ts'

export const personView = ({ id, external_id, silo_id }: Row<'silo_group'>) => ({
  id,
  display_name: external_id,
  silo_id,
})
