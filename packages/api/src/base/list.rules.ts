/** Sort modes of long lists in a project; the first is the default. */
export const listSorts = [
  'name_ascending',
  'name_descending',
  'time_created_ascending',
  'time_created_descending',
  'state_ascending',
  'state_descending',
] as const
export type ListSort = (typeof listSorts)[number]
