import type { ReactNode } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { type PaletteItem, usePaletteItems } from '#/features/common/palette-items.ts'
import { areaHomes } from './area.ts'
import { Frame } from './Frame.tsx'
import { asPaletteItems, userItems, useServed } from './nav-items.ts'
import { type NavItem, projectItems, projectsItem, siloItems } from './navigation.ts'

export function SiloLayout({ children }: { children: ReactNode }) {
  const { siloName } = useCurrentUser()
  const items = useServed(siloItems)
  usePaletteItems(asPaletteItems(items, `Silo '${siloName}'`), 'layout')
  useGlobalItems(userItems)
  return <Frame groups={[{ heading: { kind: 'Silo', name: siloName }, items }]}>{children}</Frame>
}

export function ProjectLayout({ project, children }: { project: string; children: ReactNode }) {
  const { fleetViewer } = useCurrentUser()
  const items = useServed(projectItems(project)).filter((item) => fleetViewer || !item.isOfOperators)
  usePaletteItems(asPaletteItems(items, `Project '${project}'`), 'layout')
  useGlobalItems(userItems)
  return (
    <Frame groups={[exitItems, { heading: { kind: 'Project', name: project }, items }]}>{children}</Frame>
  )
}

/** The layout of the signed-in user's own pages. */
export function SettingsLayout({ items, children }: { items: NavItem[]; children: ReactNode }) {
  const { displayName } = useCurrentUser()
  usePaletteItems(asPaletteItems(items, 'Settings'), 'layout')
  useGlobalItems()
  return (
    <Frame groups={[exitItems, { heading: { kind: 'User', name: displayName }, items }]}>{children}</Frame>
  )
}

const exitItems = { items: [{ ...projectsItem, exact: true }] }

const systemEntry: PaletteItem[] = [{ label: 'Manage system', group: 'System', link: areaHomes.system }]

/** Palette items of every page outside the system area. */
function useGlobalItems(items: readonly PaletteItem[] = []): void {
  const { fleetViewer } = useCurrentUser()
  usePaletteItems(fleetViewer ? [...systemEntry, ...items] : items, 'global')
}
