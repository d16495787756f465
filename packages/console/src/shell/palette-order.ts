import { hrefOf } from '#/features/common/link-target.ts'
import { type Level, palette, type PaletteItem } from '#/features/common/palette-items.ts'

/** Items of the page come before those of its layout; global ones are last. */
const order: readonly Level[] = ['page', 'layout', 'global']

/** All items in display order, without the one for the current path and without duplicate labels in a group. */
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
