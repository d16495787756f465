import type { OutputOf } from '@gantry/api/client/client'
import { useQuery } from '@tanstack/react-query'
import { recording } from '#/data/recording/recording.ts'
import type { PaletteItem } from '#/kit/page/palette-items.ts'
import type { RecentObject } from '#/kit/page/recent-objects.ts'
import { type Favourite, favourites } from '#/features/favourites/queries.ts'
import { hasActions, showActions } from '#/features/found/found-object.ts'
import { FoundOverlay } from '#/features/found/FoundOverlay.tsx'
import { objectPages, pageOf } from '#/features/found/object-pages.ts'
import { UploadOverlay } from '#/features/images/upload/UploadOverlay.tsx'
import { RenewSession } from '#/features/sign-in/renew/RenewSession.tsx'
import { TaggingOverlay } from '#/features/tags/TaggingOverlay.tsx'
import { useStore } from '#/store.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'

/** The button of the beam for tasks, and the column that it opens. */
export const TasksTray = lazyPart(() => import('#/features/tasks/TasksTray.tsx'), 'TasksTray')
/** Below the page of an object. */
export const PageTasks = lazyPart(() => import('#/features/tasks/PageTasks.tsx'), 'PageTasks')
export const TasksPanel = lazyPart(() => import('#/features/tasks/TasksPanel.tsx'), 'TasksPanel')

const Recorder = lazyPart(() => import('#/features/recording/Recorder.tsx'), 'Recorder')

/** In the beam while the tab records. */
export const RecordingMark = () => useStore(recording) !== 'off' && <Recorder />

/** The search of the documentation, with its texts, for the palette. */
export const loadDocsSearch = () => import('#/features/docs/search.ts')

/** Features over every signed-in page; each decides when to show something. */
export const overlays = [UploadOverlay, RenewSession, TaggingOverlay, FoundOverlay]

type SearchHit = OutputOf<'search'>['items'][number]
/** Only of subnets is the VPC known. */
type Hit = Omit<SearchHit, 'vpcName'> & Partial<Pick<SearchHit, 'vpcName'>>

/** Undefined for what has no page in this console. */
export function paletteItemOf({
  kind,
  id,
  name,
  projectName,
  vpcName,
  match,
  value,
}: Hit): PaletteItem | undefined {
  const { noun, icon } = objectPages[kind]
  const target = pageOf({ kind, id, name, projectName, vpcName })
  if (!target) return undefined
  const place = kind === 'project' || isOfFleet.has(kind) ? undefined : (projectName ?? 'Silo')
  const isByName = match === 'name' || match === 'serial'
  const hint = [isByName ? undefined : (value ?? match), vpcName, place].filter(Boolean).join(', ')
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

/** What the user keeps at hand, once it is known. */
export function useFavouriteItems(): PaletteItem[] {
  const { data } = useQuery(favourites)
  return data?.items.flatMap((each) => favouriteItemOf(each) ?? []) ?? []
}

function favouriteItemOf({ kind, id, name, projectName }: Favourite): PaletteItem | undefined {
  const item = paletteItemOf({
    kind,
    id,
    name,
    projectName: kind === 'project' ? name : projectName,
    match: 'name',
    value: null,
  })
  return item && { ...item, group: 'Favourites', hint: projectName ?? objectPages[kind].noun }
}

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
  return item && { ...item, group: 'Recent', hint: project ?? objectPages[kind].noun }
}
