interface Named {
  id: string
  name: string
  description: string
  time_created: Date
  time_modified: Date
}

/** The fields that come first in every named resource. */
export const identityView = (row: Named) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  time_created: row.time_created.toISOString(),
  time_modified: row.time_modified.toISOString(),
})
