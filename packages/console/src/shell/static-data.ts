import type { PagePath, ParamOf } from '#/features/common/link-target.ts'

/**
 * An entry of the breadcrumb bar: a page, named by words or by the value of a parameter in its path. `isId` cuts an id in
 * the middle.
 */
export type Crumb = {
  [Path in PagePath]: { to: Path } & ({ label: string } | { param: ParamOf<Path>; isId?: true })
}[PagePath]

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** This route's entries in the breadcrumb bar and the document title. */
    crumb?: Crumb | Crumb[]
    /** This route's entry in the document title alone: a form opens without changing the bar behind it. */
    title?: string
    /** The page fills the pane and scrolls inside itself, as a terminal does. */
    fillsPane?: boolean
    /** The page always says that the rack is simulated, also where that was dismissed elsewhere. */
    saysSimulated?: boolean
  }
}
