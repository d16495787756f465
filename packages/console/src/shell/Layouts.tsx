import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { canQuery, reasonOf } from '#/data/permissions.ts'
import { type PaletteItem, usePaletteItems } from '#/kit/page/palette-items.ts'
import { useServed } from '#/kit/page/use-served.ts'
import { areaHomes } from './area.ts'
import { Frame } from './Frame.tsx'
import { signOutOrSay } from './sign-out.tsx'
import { type NavItem, projectItems, projectsItem, siloItems } from './navigation.ts'

const mayListCertificates = canQuery({ action: 'list_children', object: 'certificate' })

export function SiloLayout({ children }: { children: ReactNode }) {
  const { siloName } = useCurrentUser()
  const hasCertificates = useHasCertificates()
  const items = useServed(siloItems).filter((item) => hasCertificates || !item.isOfCertificates)
  usePaletteItems(asPaletteItems(items, `Silo '${siloName}'`), 'layout')
  useGlobalItems(userItems)
  return <Frame groups={[{ heading: { kind: 'Silo', name: siloName }, items }]}>{children}</Frame>
}

/**
 * Whether the user may see the certificates of the silo. All who may can also change the silo, so the check is limited to
 * them, and their entry is there from the first paint.
 */
function useHasCertificates(): boolean {
  const { siloAdmin } = useCurrentUser()
  const { data: whyNot } = useQuery({
    ...mayListCertificates,
    select: reasonOf,
    ...(!siloAdmin && { enabled: false }),
  })
  return siloAdmin && whyNot === undefined
}

export function ProjectLayout({ project, children }: { project: string; children: ReactNode }) {
  const { fleetViewer } = useCurrentUser()
  const items = useServed(projectItems(project)).filter((item) => fleetViewer || !item.isOfOperators)
  usePaletteItems(asPaletteItems(items, `Project '${project}'`), 'layout')
  usePaletteItems(createItems(project), 'global')
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

/** Forms that open from anywhere in a project. */
const createItems = (project: string): PaletteItem[] =>
  (
    [
      ['New instance', '/projects/$project/instances-new'],
      ['New disk', '/projects/$project/disks-new'],
      ['New VPC', '/projects/$project/vpcs-new'],
      ['New floating IP', '/projects/$project/floating-ips-new'],
    ] as const
  ).map(([label, to]) => ({ label, link: { to, params: { project } } }))

const systemEntry: PaletteItem[] = [{ label: 'Manage system', group: 'System', link: areaHomes.system }]

/** Palette items of pages that belong to no area. */
export const useUserItems = (): void => useGlobalItems(userItems)

/** Palette items of every page outside the system area. */
function useGlobalItems(items: readonly PaletteItem[] = []): void {
  const { fleetViewer } = useCurrentUser()
  usePaletteItems(fleetViewer ? [...systemEntry, ...items] : items, 'global')
}

/** The same as palette items. */
export const asPaletteItems = (items: readonly NavItem[], group: string): PaletteItem[] =>
  items.map(({ label, link, icon }) => ({ label, link, icon, group }))

/** The signed-in user's own pages, available everywhere. */
export const userItems: PaletteItem[] = [
  { label: 'Settings', group: 'User', link: { to: '/settings/profile' } },
  { label: 'Documentation', group: 'User', link: { to: '/docs' } },
  { label: 'Sign out', group: 'User', run: () => void signOutOrSay() },
]
