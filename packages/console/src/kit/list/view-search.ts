import type { SavedView } from '#/data/list-preferences.ts'

/** The URL's parameters of a saved view. */
export const searchOfView = ({ name, filter, sort }: SavedView): Record<string, string> => ({
  view: name,
  ...(filter && { filter }),
  ...(sort && { sort }),
})
