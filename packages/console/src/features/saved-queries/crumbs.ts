type Area = '/projects/$project' | '/system'

/** The way to the saved queries of an area. Apart from their queries, because all pages load the crumbs of the route tree. */
export const savedQueryCrumbs = <In extends Area>(area: In) => [
  { label: 'Metrics', to: `${area}/metrics` as const },
  { label: 'Saved Queries', to: `${area}/saved-queries` as const },
]
