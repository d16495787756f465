import { hrefOf, type PagePath, type ParamOf } from '#/kit/links/link-target.ts'
import { truncate } from '#/ui/data/format.ts'

/** A breadcrumb: a page with a fixed label or the value of a path parameter. `isId` cuts an id in the middle. */
type Crumb = {
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

export interface CrumbMatch {
  params: Record<string, string>
  /** A page whose parameter says little names its breadcrumb itself. */
  loaderData?: unknown
  staticData: { crumb?: Crumb | Crumb[]; title?: string }
}

/** A form has no link here: it opens without changing the breadcrumbs. */
interface Entry {
  label: string
  href?: string
}

type VisibleEntry = Required<Entry>

const productName = 'Gantry'
const idLength = 12

export const entriesOf = (matches: readonly CrumbMatch[]): Entry[] =>
  matches.flatMap(({ params, loaderData, staticData: { crumb = [], title } }) => [
    ...[crumb].flat().map((each) => ({
      label:
        'label' in each ? each.label : (ownName(loaderData) ?? named(params[each.param] ?? '', each.isId)),
      href: hrefOf({ to: each.to, params }),
    })),
    ...(title === undefined ? [] : [{ label: title }]),
  ])

const ownName = (data: unknown) => (data as { crumb?: string } | undefined)?.crumb

const named = (value: string, isId?: true): string => (isId ? truncate(value, idLength, 'middle') : value)

export const visible = (entries: readonly Entry[]): VisibleEntry[] =>
  entries.flatMap(({ label, href }) => (href === undefined ? [] : [{ label, href }]))

/** Index of the last entry with another address than the page: a tab and its page can share one. */
export const parentIndexOf = (entries: readonly VisibleEntry[]): number =>
  entries.findLastIndex(({ href }, index) => index === 0 || href !== entries.at(-1)?.href)

/** `New project / Projects / Gantry`: deepest first, so that browser tabs differ at the start. */
export const titleOf = (entries: readonly Entry[]): string =>
  [...entries.map(({ label }) => label).toReversed(), productName].join(' / ')
