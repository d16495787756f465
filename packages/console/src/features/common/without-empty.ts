/** The search parameters of the URL without those that say nothing. */
export const withoutEmpty = <Search extends object>(search: Search): Partial<Search> =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value)) as Partial<Search>
