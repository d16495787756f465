import type { ReactNode } from 'react'
import { useCurrentUser } from '../data/current-user.ts'
import { type PaletteItem, usePaletteItems } from '../features/common/palette-items.ts'
import { Frame } from './Frame.tsx'
import { type NavItem, projectItems, projectsItem, siloItems } from './navigation.ts'

export function SiloLayout({ children }: { children: ReactNode }) {
  const { siloName } = useCurrentUser()
  usePaletteItems(asPaletteItems(siloItems, `Silo '${siloName}'`), 'layout')
  return <Frame groups={[{ heading: { kind: 'Silo', name: siloName }, items: siloItems }]}>{children}</Frame>
}

export function ProjectLayout({ project, children }: { project: string; children: ReactNode }) {
  const items = projectItems(project)
  usePaletteItems(asPaletteItems(items, `Project '${project}'`), 'layout')
  return (
    <Frame
      groups={[
        { items: [{ ...projectsItem, exact: true }] },
        { heading: { kind: 'Project', name: project }, items },
      ]}
    >
      {children}
    </Frame>
  )
}

const asPaletteItems = (items: readonly NavItem[], group: string): PaletteItem[] =>
  items.map(({ label, to, icon }) => ({ label, to, icon, group }))
