import { useLiveState } from '#/data/live.ts'
import type { PaletteItem } from '#/features/common/palette-items.ts'
import type { NavItem } from './navigation.ts'

/** The items that this server supports. A server without the stream has no other extensions either. */
export function useServed(items: readonly NavItem[]): NavItem[] {
  const hasExtensions = useLiveState() !== 'absent'
  return items.filter(({ isExtension }) => hasExtensions || !isExtension)
}

/** The same as palette items. */
export const asPaletteItems = (items: readonly NavItem[], group: string): PaletteItem[] =>
  items.map(({ label, link, icon }) => ({ label, link, icon, group }))

/** The signed-in user's own pages, available everywhere. */
export const userItems: PaletteItem[] = [
  { label: 'Settings', group: 'User', link: { to: '/settings/profile' } },
]
