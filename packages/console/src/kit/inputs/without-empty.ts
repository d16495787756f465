/** The URL's search parameters without the empty ones. */
export const withoutEmpty = <Search extends object>(search: Search): Partial<Search> =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value)) as Partial<Search>
