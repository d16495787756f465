import type { LucideIcon } from 'lucide-react'
import Boxes from 'lucide-react/icons/boxes'
import Camera from 'lucide-react/icons/camera'
import Disc3 from 'lucide-react/icons/disc-3'
import Gauge from 'lucide-react/icons/gauge'
import HardDrive from 'lucide-react/icons/hard-drive'
import KeyRound from 'lucide-react/icons/key-round'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import MapPin from 'lucide-react/icons/map-pin'
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone'
import Network from 'lucide-react/icons/network'
import Server from 'lucide-react/icons/server'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Ticket from 'lucide-react/icons/ticket'
import UserRound from 'lucide-react/icons/user-round'
import Users from 'lucide-react/icons/users'

export interface NavItem {
  label: string
  to: string
  icon: LucideIcon
  /** Current on this very path only, because other items lie below it. */
  exact?: boolean
  /** On servers with extensions only. */
  isExtension?: true
}

export interface NavGroup {
  heading?: { kind: string; name: string }
  items: NavItem[]
}

const projectPath = (project: string): string => `/projects/${project}`

/** The way out of a project, also. */
export const projectsItem: NavItem = { label: 'Projects', to: '/projects', icon: LayoutGrid }

export const siloItems: NavItem[] = [
  projectsItem,
  { label: 'Images', to: '/images', icon: Disc3 },
  { label: 'Utilization', to: '/utilization', icon: Gauge },
  { label: 'Silo Access', to: '/access', icon: KeyRound },
  { label: 'Users & Groups', to: '/users', icon: Users, isExtension: true },
]

export const projectItems = (project: string): NavItem[] => [
  { label: 'Instances', to: `${projectPath(project)}/instances`, icon: Server },
  { label: 'Disks', to: `${projectPath(project)}/disks`, icon: HardDrive },
  { label: 'Snapshots', to: `${projectPath(project)}/snapshots`, icon: Camera },
  { label: 'Images', to: `${projectPath(project)}/images`, icon: Disc3 },
  { label: 'VPCs', to: `${projectPath(project)}/vpcs`, icon: Network },
  { label: 'Floating IPs', to: `${projectPath(project)}/floating-ips`, icon: MapPin },
  { label: 'Affinity Groups', to: `${projectPath(project)}/affinity`, icon: Boxes },
  { label: 'Project Access', to: `${projectPath(project)}/access`, icon: KeyRound },
]

const sessionsItem: NavItem = { label: 'Sessions', to: '/settings/sessions', icon: MonitorSmartphone }

const securityItem: NavItem = { label: 'Security', to: '/settings/security', icon: ShieldCheck }

/** Not every server tells of sessions, nor has second factors. */
export const settingsItems = ({
  hasSessions,
  hasSecondFactors,
}: {
  hasSessions: boolean
  hasSecondFactors: boolean
}): NavItem[] => [
  { label: 'Profile', to: '/settings/profile', icon: UserRound },
  { label: 'SSH Keys', to: '/settings/ssh-keys', icon: KeyRound },
  { label: 'Access Tokens', to: '/settings/access-tokens', icon: Ticket },
  ...(hasSessions ? [sessionsItem] : []),
  ...(hasSecondFactors ? [securityItem] : []),
]

/** Current is what equals the path or lies above it. */
export const isCurrent = ({ to, exact }: NavItem, path: string): boolean =>
  path === to || (!exact && path.startsWith(`${to}/`))

/** A create form belongs to its list, though its path does not lie below it: `/projects-new`. */
export const looksCurrent = (item: NavItem, path: string): boolean =>
  isCurrent(item, path) || path.startsWith(`${item.to}-new`)
