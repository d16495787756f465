import { hrefOf } from '#/features/common/link-target.ts'
import type { Crumb } from './static-data.ts'

export interface CrumbMatch {
  params: Record<string, string>
  staticData: { crumb?: Crumb | Crumb[]; title?: string }
}

/** A form has no link here: it opens without changing the breadcrumbs. */
interface Entry {
  label: string
  href?: string
}
type VisibleEntry = Required<Entry>

const productName = 'Gantry'

export const entriesOf = (matches: readonly CrumbMatch[]): Entry[] =>
  matches.flatMap(({ params, staticData: { crumb = [], title } }) => [
    ...[crumb].flat().map((each) => ({
      label: 'label' in each ? each.label : (params[each.param] ?? ''),
      href: hrefOf({ to: each.to, params }),
    })),
    ...(title === undefined ? [] : [{ label: title }]),
  ])

export const visible = (entries: readonly Entry[]): VisibleEntry[] =>
  entries.flatMap(({ label, href }) => (href === undefined ? [] : [{ label, href }]))

/** `New project / Projects / Gantry`: deepest first, so that browser tabs differ at the start. */
export const titleOf = (entries: readonly Entry[]): string =>
  [...entries.map(({ label }) => label).toReversed(), productName].join(' / ')
