import type { ReactNode } from 'react'
import { useCurrentUser } from '../data/current-user.ts'
import { useLiveState } from '../data/live.ts'
import { type PaletteItem, usePaletteItems } from '../features/common/palette-items.ts'
import { Frame } from './Frame.tsx'
import { type NavItem, projectItems, projectsItem, siloItems } from './navigation.ts'

export function SiloLayout({ children }: { children: ReactNode }) {
  const { siloName } = useCurrentUser()
  // A server without the stream has none of the other extensions either.
  const hasExtensions = useLiveState() !== 'absent'
  const items = siloItems.filter(({ isExtension }) => hasExtensions || !isExtension)
  usePaletteItems(asPaletteItems(items, `Silo '${siloName}'`), 'layout')
  usePaletteItems(userItems, 'global')
  return <Frame groups={[{ heading: { kind: 'Silo', name: siloName }, items }]}>{children}</Frame>
}

export function ProjectLayout({ project, children }: { project: string; children: ReactNode }) {
  const items = projectItems(project)
  usePaletteItems(asPaletteItems(items, `Project '${project}'`), 'layout')
  usePaletteItems(userItems, 'global')
  return <Frame groups={[wayOut, { heading: { kind: 'Project', name: project }, items }]}>{children}</Frame>
}

/** What belongs to the signed-in person, in whichever project. */
export function SettingsLayout({ items, children }: { items: NavItem[]; children: ReactNode }) {
  const { displayName } = useCurrentUser()
  usePaletteItems(asPaletteItems(items, 'Settings'), 'layout')
  return <Frame groups={[wayOut, { heading: { kind: 'User', name: displayName }, items }]}>{children}</Frame>
}

const wayOut = { items: [{ ...projectsItem, exact: true }] }

const userItems: PaletteItem[] = [{ label: 'Settings', group: 'User', to: '/settings/profile' }]

const asPaletteItems = (items: readonly NavItem[], group: string): PaletteItem[] =>
  items.map(({ label, to, icon }) => ({ label, to, icon, group }))
