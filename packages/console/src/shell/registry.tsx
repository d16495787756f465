import type { OutputOf } from '@gantry/api/client/client'
import type { LucideIcon } from 'lucide-react'
import Building2 from 'lucide-react/icons/building-2'
import Camera from 'lucide-react/icons/camera'
import Cpu from 'lucide-react/icons/cpu'
import Disc3 from 'lucide-react/icons/disc-3'
import HardDrive from 'lucide-react/icons/hard-drive'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import MapPin from 'lucide-react/icons/map-pin'
import Network from 'lucide-react/icons/network'
import Server from 'lucide-react/icons/server'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import type { PaletteItem } from '#/kit/page/palette-items.ts'
import { floatingIpLink } from '#/features/addresses/floating-ips/links.ts'
import { diskLink } from '#/features/disks/links.ts'
import type { RecentObject } from '#/kit/page/recent-objects.ts'
import { hasActions, showActions } from '#/features/found/found-object.ts'
import { FoundOverlay } from '#/features/found/FoundOverlay.tsx'
import { projectImageLink, siloImageLink } from '#/features/images/links.ts'
import { UploadOverlay } from '#/features/images/upload/UploadOverlay.tsx'
import { instanceLink } from '#/features/instances/links.ts'
import { projectLink } from '#/features/projects/links.ts'
import { RenewSession } from '#/features/sign-in/renew/RenewSession.tsx'
import { TaggingOverlay } from '#/features/tags/TaggingOverlay.tsx'
import { snapshotLink } from '#/features/snapshots/links.ts'
import { vpcLink } from '#/features/vpcs/links.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'

/** The button of the beam for tasks, and the column that it opens. */
export const TasksTray = lazyPart(() => import('#/features/tasks/TasksTray.tsx'), 'TasksTray')
export const TasksPanel = lazyPart(() => import('#/features/tasks/TasksPanel.tsx'), 'TasksPanel')

/** Features over every signed-in page; each decides when to show something. */
export const overlays = [UploadOverlay, RenewSession, TaggingOverlay, FoundOverlay]

type Hit = OutputOf<'search'>['items'][number]

interface HitPage {
  /** In lower case, as in `Go to disk`. */
  noun: string
  icon: LucideIcon
  link?: (name: string, project: string) => LinkTarget
  /** The page of an object that belongs to no project, for kinds that can. */
  siloLink?: (name: string, id: string) => LinkTarget
}

/** The pages of search hits by kind, from the features that own them. */
const hitPages: Record<Hit['kind'], HitPage> = {
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

/** Undefined for what has no page in this console. */
export function paletteItemOf({ kind, id, name, projectName, match, value }: Hit): PaletteItem | undefined {
  const { noun, icon, link, siloLink } = hitPages[kind]
  const target = projectName === null || kind === 'project' ? siloLink?.(name, id) : link?.(name, projectName)
  if (!target) return undefined
  const place = kind === 'project' || isOfFleet.has(kind) ? undefined : (projectName ?? 'Silo')
  const isByName = match === 'name' || match === 'serial'
  const hint = [isByName ? undefined : (value ?? match), place].filter(Boolean).join(', ')
  return {
    label: name,
    group: `Go to ${noun}`,
    icon,
    link: target,
    ...(hint && { hint }),
    ...(!isByName && { isFound: true as const }),
    ...(projectName !== null &&
      hasActions(kind) && { actions: () => showActions({ kind, name, project: projectName }) }),
  }
}

const isOfFleet: ReadonlySet<string> = new Set(['silo', 'sled', 'physical-disk', 'ip-pool'])

/** The same for an object that was opened before. */
export function recentItemOf({ kind, name, project }: RecentObject): PaletteItem | undefined {
  const item = paletteItemOf({
    kind,
    id: '',
    name,
    projectName: kind === 'project' ? name : project,
    match: 'name',
    value: null,
  })
  return item && { ...item, group: 'Recent', hint: project ?? hitPages[kind].noun }
}
