import type { ReactNode } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { usePaletteItems } from '#/features/common/palette-items.ts'
import { Frame } from './Frame.tsx'
import { asPaletteItems, userItems, useServed } from './nav-items.ts'
import { projectsItem } from './navigation.ts'
import { systemItems } from './system-navigation.ts'

/** The layout of the operators' area. */
export function SystemLayout({ children }: { children: ReactNode }) {
  const { siloName } = useCurrentUser()
  const items = useServed(systemItems)
  const backItems = asPaletteItems([projectsItem], `Back to silo '${siloName}'`)
  usePaletteItems([...asPaletteItems(items, 'System'), ...backItems], 'layout')
  usePaletteItems(userItems, 'global')
  return <Frame groups={[{ heading: { kind: 'System' }, items }]}>{children}</Frame>
}
