import { hrefOf } from '#/features/common/link-target.ts'
import { truncate } from '#/ui/format.ts'
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
const idLength = 12

export const entriesOf = (matches: readonly CrumbMatch[]): Entry[] =>
  matches.flatMap(({ params, staticData: { crumb = [], title } }) => [
    ...[crumb].flat().map((each) => ({
      label: 'label' in each ? each.label : named(params[each.param] ?? '', each.isId),
      href: hrefOf({ to: each.to, params }),
    })),
    ...(title === undefined ? [] : [{ label: title }]),
  ])

const named = (value: string, isId?: true): string => (isId ? truncate(value, idLength, 'middle') : value)

export const visible = (entries: readonly Entry[]): VisibleEntry[] =>
  entries.flatMap(({ label, href }) => (href === undefined ? [] : [{ label, href }]))

/** Index of the last entry with another address than the page: a tab and its page can share one. */
export const parentIndexOf = (entries: readonly VisibleEntry[]): number =>
  entries.findLastIndex(({ href }, index) => index === 0 || href !== entries.at(-1)?.href)

/** `New project / Projects / Gantry`: deepest first, so that browser tabs differ at the start. */
export const titleOf = (entries: readonly Entry[]): string =>
  [...entries.map(({ label }) => label).toReversed(), productName].join(' / ')
