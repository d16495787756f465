import type { CrumbOf } from './crumbs.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** This route's entry in the breadcrumb bar and the document title; a function where it names a parameter. */
    crumb?: CrumbOf
    /** The page fills the pane and scrolls inside itself, as a terminal does. */
    fillsPane?: boolean
  }
}
