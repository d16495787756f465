import { hrefOf } from '#/features/common/link-target.ts'
import { type Level, palette, type PaletteItem } from '#/features/common/palette-items.ts'

/** What the page offers comes before what its layout offers, and what is always offered is last. */
const order: readonly Level[] = ['page', 'layout', 'global']

/** All items in the order of display, the one for the current path left out; a label stands once in its group. */
export function paletteItems(currentPath: string): PaletteItem[] {
  const all = order.flatMap((wanted) =>
    palette
      .offered()
      .filter(({ level }) => level === wanted)
      .flatMap(({ items }) => items),
  )
  const unique = new Map(all.map((item) => [`${item.group ?? ''} ${item.label}`, item]))
  const others = [...unique.values()].filter(({ link }) => !link || hrefOf(link) !== currentPath)
  return [...others.filter(({ group }) => !group), ...others.filter(({ group }) => group)]
}
