import type { LucideIcon } from 'lucide-react'
import ArchiveRestore from 'lucide-react/icons/archive-restore'
import Bell from 'lucide-react/icons/bell'
import Bot from 'lucide-react/icons/bot'
import Boxes from 'lucide-react/icons/boxes'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import Camera from 'lucide-react/icons/camera'
import ChartLine from 'lucide-react/icons/chart-line'
import Coins from 'lucide-react/icons/coins'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import Disc3 from 'lucide-react/icons/disc-3'
import FileBadge from 'lucide-react/icons/file-badge'
import Gauge from 'lucide-react/icons/gauge'
import HardDrive from 'lucide-react/icons/hard-drive'
import History from 'lucide-react/icons/history'
import KeyRound from 'lucide-react/icons/key-round'
import Layers from 'lucide-react/icons/layers'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import LayoutTemplate from 'lucide-react/icons/layout-template'
import MapPin from 'lucide-react/icons/map-pin'
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone'
import Network from 'lucide-react/icons/network'
import Radar from 'lucide-react/icons/radar'
import Server from 'lucide-react/icons/server'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Tags from 'lucide-react/icons/tags'
import Ticket from 'lucide-react/icons/ticket'
import UserRound from 'lucide-react/icons/user-round'
import Users from 'lucide-react/icons/users'
import Waypoints from 'lucide-react/icons/waypoints'
import { hrefOf, type LinkTarget } from '#/kit/links/link-target.ts'

export interface NavItem {
  label: string
  link: LinkTarget
  icon: LucideIcon
  /** Current on this exact path only, because other items lie below it. */
  exact?: boolean
  /** Other paths on which it is current, such as those of its tabs. */
  covers?: RegExp
  /** On servers with extensions only. */
  isExtension?: true
  /** For users with a role on the fleet only. */
  isOfOperators?: true
  /** For users who may see the silo's certificates only. */
  isOfCertificates?: true
}

export interface NavGroup {
  heading?: { kind: string; name?: string }
  items: NavItem[]
}

/** Also leads out of a project. */
export const projectsItem: NavItem = { label: 'Projects', link: { to: '/projects' }, icon: LayoutGrid }

export const siloItems: NavItem[] = [
  projectsItem,
  {
    label: 'All projects',
    link: { to: '/all/instances' },
    icon: Layers,
    covers: /^\/all(\/|$)/,
    isExtension: true,
  },
  { label: 'Images', link: { to: '/images' }, icon: Disc3 },
  { label: 'Templates', link: { to: '/templates' }, icon: LayoutTemplate, isExtension: true },
  { label: 'Utilization', link: { to: '/utilization' }, icon: Gauge },
  { label: 'Use and cost', link: { to: '/usage' }, icon: Coins, isExtension: true },
  { label: 'Activity', link: { to: '/activity' }, icon: History, isExtension: true },
  { label: 'Plans', link: { to: '/plans' }, icon: ClipboardCheck, isExtension: true },
  { label: 'Recycle bin', link: { to: '/recycle-bin' }, icon: ArchiveRestore, isExtension: true },
  { label: 'Tags', link: { to: '/tags' }, icon: Tags, isExtension: true },
  { label: 'Silo Access', link: { to: '/access' }, icon: KeyRound },
  { label: 'Users & Groups', link: { to: '/users' }, icon: Users, isExtension: true },
  { label: 'Service accounts', link: { to: '/service-accounts' }, icon: Bot, isExtension: true },
  { label: 'Certificates', link: { to: '/certificates' }, icon: FileBadge, isOfCertificates: true },
]

export const projectItems = (project: string): NavItem[] => itemsWith({ project })

const itemsWith = (params: { project: string }): NavItem[] => [
  { label: 'Instances', link: { to: '/projects/$project/instances', params }, icon: Server },
  { label: 'Disks', link: { to: '/projects/$project/disks', params }, icon: HardDrive },
  {
    label: 'Snapshots',
    link: { to: '/projects/$project/snapshots', params },
    icon: Camera,
    covers: /^\/projects\/[^/]+\/(instance-snapshots|backups)(\/|$)/,
  },
  {
    label: 'Schedules',
    link: { to: '/projects/$project/schedules', params },
    icon: CalendarClock,
    isExtension: true,
  },
  { label: 'Images', link: { to: '/projects/$project/images', params }, icon: Disc3 },
  {
    label: 'Templates',
    link: { to: '/projects/$project/templates', params },
    icon: LayoutTemplate,
    isExtension: true,
  },
  { label: 'VPCs', link: { to: '/projects/$project/vpcs', params }, icon: Network },
  { label: 'Floating IPs', link: { to: '/projects/$project/floating-ips', params }, icon: MapPin },
  { label: 'External Subnets', link: { to: '/projects/$project/external-subnets', params }, icon: Waypoints },
  {
    label: 'Affinity Groups',
    link: { to: '/projects/$project/affinity', params },
    icon: Boxes,
    covers: /^\/projects\/[^/]+\/affinity-groups(-new)?(\/|$)/,
  },
  { label: 'Metrics', link: { to: '/projects/$project/metrics', params }, icon: ChartLine },
  {
    label: 'Probes',
    link: { to: '/projects/$project/probes', params },
    icon: Radar,
    isOfOperators: true,
  },
  {
    label: 'Use and cost',
    link: { to: '/projects/$project/usage', params },
    icon: Coins,
    isExtension: true,
  },
  {
    label: 'Activity',
    link: { to: '/projects/$project/activity', params },
    icon: History,
    isExtension: true,
  },
  {
    label: 'Plans',
    link: { to: '/projects/$project/plans', params },
    icon: ClipboardCheck,
    isExtension: true,
  },
  {
    label: 'Recycle bin',
    link: { to: '/projects/$project/recycle-bin', params },
    icon: ArchiveRestore,
    isExtension: true,
  },
  {
    label: 'Service accounts',
    link: { to: '/projects/$project/service-accounts', params },
    icon: Bot,
    isExtension: true,
  },
  { label: 'Project Access', link: { to: '/projects/$project/access', params }, icon: KeyRound },
]

const sessionsItem: NavItem = {
  label: 'Sessions',
  link: { to: '/settings/sessions' },
  icon: MonitorSmartphone,
}

const securityItem: NavItem = { label: 'Security', link: { to: '/settings/security' }, icon: ShieldCheck }

/** Not every server has sessions and second factors. */
export const settingsItems = ({
  hasSessions,
  hasSecondFactors,
}: {
  hasSessions: boolean
  hasSecondFactors: boolean
}): NavItem[] => [
  { label: 'Profile', link: { to: '/settings/profile' }, icon: UserRound },
  { label: 'SSH Keys', link: { to: '/settings/ssh-keys' }, icon: KeyRound },
  { label: 'Access Tokens', link: { to: '/settings/access-tokens' }, icon: Ticket },
  { label: 'My activity', link: { to: '/settings/activity' }, icon: History, isExtension: true },
  { label: 'Notifications', link: { to: '/settings/notifications' }, icon: Bell, isExtension: true },
  ...(hasSessions ? [sessionsItem] : []),
  ...(hasSecondFactors ? [securityItem] : []),
]

/** An item is current if its path equals the page's path or is an ancestor of it. */
export const isCurrent = ({ link, exact, covers }: NavItem, path: string): boolean =>
  path === hrefOf(link) || covers?.test(path) === true || (!exact && path.startsWith(`${hrefOf(link)}/`))

/** A create form belongs to its list, though its path is not below it: `/projects-new`. */
export const looksCurrent = (item: NavItem, path: string): boolean =>
  isCurrent(item, path) || path.startsWith(`${hrefOf(item.link)}-new`)
