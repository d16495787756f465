/** A row with its silo and project; where the caller was proven with it, also whether there is one. */
export type FoundRow = Record<string, unknown> & {
  '~found': boolean
  '~silo_id': string | null
  '~project_id': string | null
}
