import type { OutputOf } from '@gantry/api/client/client'
import type { LucideIcon } from 'lucide-react'
import Bot from 'lucide-react/icons/bot'
import Building2 from 'lucide-react/icons/building-2'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import Camera from 'lucide-react/icons/camera'
import Cpu from 'lucide-react/icons/cpu'
import Disc3 from 'lucide-react/icons/disc-3'
import HardDrive from 'lucide-react/icons/hard-drive'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import LayoutTemplate from 'lucide-react/icons/layout-template'
import MapPin from 'lucide-react/icons/map-pin'
import Network from 'lucide-react/icons/network'
import Server from 'lucide-react/icons/server'
import UserRound from 'lucide-react/icons/user-round'
import Users from 'lucide-react/icons/users'
import { externalSubnetLink } from '#/features/addresses/external-subnets/links.ts'
import { floatingIpLink } from '#/features/addresses/floating-ips/links.ts'
import { diskLink } from '#/features/disks/links.ts'
import { projectImageLink, siloImageLink } from '#/features/images/links.ts'
import { instanceLink } from '#/features/instances/links.ts'
import { instanceSnapshotLink } from '#/features/instances/snapshots/links.ts'
import { groupLink, userLink } from '#/features/people/links.ts'
import { projectLink } from '#/features/projects/links.ts'
import { scheduleLink } from '#/features/schedules/links.ts'
import { templateLink } from '#/features/templates/links.ts'
import { accountLink } from '#/features/service-accounts/links.ts'
import { snapshotLink } from '#/features/snapshots/links.ts'
import { subnetLink, vpcLink } from '#/features/vpcs/links.ts'
import type { LinkTarget } from '#/kit/links/link-target.ts'

/** The kinds that a search finds. */
export type FoundKind = OutputOf<'search'>['items'][number]['kind']

interface ObjectPage {
  /** In lower case, as in `Go to disk`. */
  noun: string
  icon: LucideIcon
  link?: (name: string, project: string, vpc: string | undefined) => LinkTarget | undefined
  /** The page of an object that belongs to no project, for kinds that can. */
  siloLink?: (name: string, id: string) => LinkTarget
}

/** The pages of objects by kind, from the features that own them. */
export const objectPages: Record<FoundKind, ObjectPage> = {
  project: { noun: 'project', icon: LayoutGrid, siloLink: projectLink, link: projectLink },
  instance: { noun: 'instance', icon: Server, link: (name, project) => instanceLink(project, name) },
  disk: {
    noun: 'disk',
    icon: HardDrive,
    link: (name, project) => diskLink(project, name),
  },
  image: {
    noun: 'image',
    icon: Disc3,
    link: (name, project) => projectImageLink(project, name),
    siloLink: siloImageLink,
  },
  vpc: { noun: 'VPC', icon: Network, link: (name, project) => vpcLink(project, name) },
  'vpc-subnet': {
    noun: 'subnet',
    icon: Network,
    link: (name, project, vpc) => (vpc === undefined ? undefined : subnetLink(project, vpc, name)),
  },
  snapshot: {
    noun: 'snapshot',
    icon: Camera,
    link: (name, project) => snapshotLink(project, name),
  },
  'floating-ip': {
    noun: 'floating IP',
    icon: MapPin,
    link: (name, project) => floatingIpLink(project, name),
  },
  'external-subnet': {
    noun: 'external subnet',
    icon: Network,
    link: (name, project) => externalSubnetLink(project, name),
  },
  schedule: { noun: 'schedule', icon: CalendarClock, link: (name, project) => scheduleLink(project, name) },
  'instance-template': {
    noun: 'instance template',
    icon: LayoutTemplate,
    link: (name, project) => templateLink(project, name),
    siloLink: (name) => templateLink(undefined, name),
  },
  'instance-snapshot': {
    noun: 'instance snapshot',
    icon: Camera,
    link: (name, project) => instanceSnapshotLink(project, name),
  },
  'service-account': {
    noun: 'service account',
    icon: Bot,
    link: (name, project) => accountLink(project, name),
    siloLink: (name) => accountLink(undefined, name),
  },
  'silo-user': { noun: 'user', icon: UserRound, siloLink: (_, id) => userLink(id) },
  'silo-group': { noun: 'group', icon: Users, siloLink: (_, id) => groupLink(id) },
  silo: {
    noun: 'silo',
    icon: Building2,
    siloLink: (silo) => ({ to: '/system/silos/$silo/idps', params: { silo } }),
  },
  sled: {
    noun: 'sled',
    icon: Server,
    siloLink: (_, id) => ({ to: '/system/inventory/sleds/$sled/instances', params: { sled: id } }),
  },
  'physical-disk': {
    noun: 'physical disk',
    icon: Cpu,
    siloLink: () => ({ to: '/system/inventory/disks' }),
  },
  'ip-pool': {
    noun: 'IP pool',
    icon: Network,
    siloLink: (pool) => ({ to: '/system/networking/ip-pools/$pool', params: { pool } }),
  },
}

interface Found {
  kind: FoundKind
  id: string
  name: string
  /** Null for what is in none. */
  projectName: string | null
  /** Of a subnet. */
  vpcName?: string | null
}

/** Undefined for what has no page in this console. */
export function pageOf({ kind, id, name, projectName, vpcName }: Found): LinkTarget | undefined {
  const { link, siloLink } = objectPages[kind]
  return projectName === null || kind === 'project'
    ? siloLink?.(name, id)
    : link?.(name, projectName, vpcName ?? undefined)
}
