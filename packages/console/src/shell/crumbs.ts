import './static-data.ts'

export interface Crumb {
  label: string
  path: string
  /** In the document title only: a form opens without changing the bar behind it. */
  titleOnly?: boolean
}

/** One entry, several where a route stands for more than one level, or a function of the path's parameters. */
export type CrumbOf = Crumb | Crumb[] | ((params: Record<string, string>) => Crumb | Crumb[])

export interface CrumbMatch {
  params: Record<string, string>
  staticData: { crumb?: CrumbOf }
}

const productName = 'Gantry'

export const crumbsOf = (matches: readonly CrumbMatch[]): Crumb[] =>
  matches.flatMap(({ params, staticData: { crumb } }) => {
    if (!crumb) return []
    return typeof crumb === 'function' ? crumb(params) : crumb
  })

export const visible = (crumbs: readonly Crumb[]): Crumb[] => crumbs.filter(({ titleOnly }) => !titleOnly)

/** `New project / Projects / Gantry`: deepest first, so that tabs side by side can be told apart. */
export const titleOf = (crumbs: readonly Crumb[]): string =>
  [...crumbs.map(({ label }) => label).toReversed(), productName].join(' / ')
