import type { PagePath, ParamOf } from '#/features/common/link-target.ts'

/** A breadcrumb: a page with a fixed label or the value of a path parameter. `isId` cuts an id in the middle. */
export type Crumb = {
  [Path in PagePath]: { to: Path } & ({ label: string } | { param: ParamOf<Path>; isId?: true })
}[PagePath]

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** This route's breadcrumbs and title entries. */
    crumb?: Crumb | Crumb[]
    /** This route's entry in the document title only: a form opens without changing the breadcrumbs. */
    title?: string
    /** The page fills the pane and scrolls internally, like a terminal. */
    fillsPane?: boolean
    /** The page always states that the rack is simulated, even if the strip was dismissed. */
    saysSimulated?: boolean
  }
}
