import type { OutputOf } from '@gantry/api/client/client'
import type { LucideIcon } from 'lucide-react'
import Disc3 from 'lucide-react/icons/disc-3'
import HardDrive from 'lucide-react/icons/hard-drive'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import Network from 'lucide-react/icons/network'
import Server from 'lucide-react/icons/server'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import type { PaletteItem } from '#/kit/page/palette-items.ts'
import { diskLink } from '#/features/disks/links.ts'
import { projectImageLink, siloImageLink } from '#/features/images/links.ts'
import { UploadOverlay } from '#/features/images/upload/UploadOverlay.tsx'
import { instanceLink } from '#/features/instances/links.ts'
import { projectLink } from '#/features/projects/links.ts'
import { RenewSession } from '#/features/sign-in/renew/RenewSession.tsx'
import { TaggingOverlay } from '#/features/tags/TaggingOverlay.tsx'
import { vpcLink } from '#/features/vpcs/links.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'

/** The button of the beam for tasks, and the column that it opens. */
export const TasksTray = lazyPart(() => import('#/features/tasks/TasksTray.tsx'), 'TasksTray')
export const TasksPanel = lazyPart(() => import('#/features/tasks/TasksPanel.tsx'), 'TasksPanel')

/** Features over every signed-in page; each decides when to show something. */
export const overlays = [UploadOverlay, RenewSession, TaggingOverlay]

type Hit = OutputOf<'search'>['items'][number]

interface HitPage {
  /** In lower case, as in `Go to disk`. */
  noun: string
  icon: LucideIcon
  link: (name: string, project: string) => LinkTarget
  /** The page of an object that belongs to the silo, for kinds that can. */
  siloLink?: (name: string) => LinkTarget
}

/** The pages of search hits by kind, from the features that own them. */
const hitPages: Record<Hit['kind'], HitPage> = {
  project: { noun: 'project', icon: LayoutGrid, link: projectLink },
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
}

/** Undefined for kinds without a page in this console. */
export function paletteItemOf({ kind, name, projectName }: Hit): PaletteItem | undefined {
  const { noun, icon, link, siloLink } = hitPages[kind]
  const target = projectName === null ? siloLink?.(name) : link(name, projectName)
  if (!target) return undefined
  const hint = kind === 'project' ? undefined : (projectName ?? 'Silo')
  return { label: name, group: `Go to ${noun}`, icon, link: target, ...(hint && { hint }) }
}
