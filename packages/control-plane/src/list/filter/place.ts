import { type FilteredKind, listKind } from '@gantry/api/filter/list-kinds.rules'
import { type RawBuilder, sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { invalid } from '../../context/refusal.ts'
import { need, needFleet, needOwnSilo } from '../../lookup/need.ts'
import { sees } from '../../lookup/location.ts'

type Sql = RawBuilder<unknown>

/** Where a list looks: in one project, or in everything that the caller may see. */
export interface Place {
  /** The condition on alias `p` that leaves the projects of the place. */
  projects: Sql
  /** The condition that the row of an alias is in one of them. */
  within: (alias: string) => Sql
  /** The condition on alias `im` that leaves the images that the caller may see. */
  images: Sql
  /** The silo whose own objects are part of the place, beside those of projects, or are all of it. */
  silo_id: string | undefined
  /** The VPC whose contents the place is. */
  vpc_id?: string
  /** Whether the caller may ask for what only operators see. */
  isFleetViewer: boolean
  isOneProject: boolean
  /** The same text for the same rows. */
  key: string
}

/** What a request names of where to look. */
export interface Asked {
  project?: string | null | undefined
  silo_only?: boolean | null | undefined
  vpc?: string | null | undefined
}

const inProjects =
  (projects: Sql) =>
  (alias: string): Sql =>
    sql`${sql.ref(`${alias}.project_id`)} IN (SELECT p.id FROM project p WHERE ${projects})`

/** One project, for work of the platform in it. */
export function placeInProject(project_id: string): Place {
  const within = (alias: string): Sql => sql`${sql.ref(`${alias}.project_id`)} = ${project_id}::uuid`
  return {
    projects: sql`p.id = ${project_id}::uuid`,
    within,
    images: within('im'),
    silo_id: undefined,
    isFleetViewer: false,
    isOneProject: true,
    key: project_id,
  }
}

/** Finds and authorises the project, or leaves everything that the caller may see. */
export async function placeOf(cx: Cx, asked: Asked, kind?: FilteredKind): Promise<Place> {
  const { project, silo_only, vpc } = asked
  if (kind && listKind(kind).scope === 'fleet') return placeOfFleet(cx, asked, kind)
  if (kind && listKind(kind).scope === 'silo') return placeOfSilo(cx, asked, kind)
  if (vpc !== null && vpc !== undefined && (!kind || listKind(kind).scope !== 'vpc'))
    throw invalid('only subnets, routers and internet gateways are in a VPC', 'Leave out vpc.')
  const { silo_id, user_id, projects } = cx.user()
  const isFleetViewer = cx.can('read', { class: 'fleet' })
  const seesSiloImages = sees(cx, 'image', { silo_id, project_id: null })
  const imagesIn = (within: Sql): Sql =>
    seesSiloImages ? sql`(im.project_id IS NULL AND im.silo_id = ${silo_id}::uuid OR ${within})` : within
  const isSilosOwn = !project && kind !== undefined && listKind(kind).withoutProject === 'silo'
  if (isSilosOwn) needOwnSilo(cx, 'list_children', 'siloImage')
  if (silo_only || isSilosOwn) {
    if (project) throw invalid('either a project or silo_only may be given', 'Leave out one of them.')
    const none = sql`false`
    return {
      projects: none,
      within: () => none,
      images: imagesIn(none),
      silo_id: seesSiloImages ? silo_id : undefined,
      isFleetViewer,
      isOneProject: false,
      key: `${silo_id} ${seesSiloImages} alone`,
    }
  }
  if (vpc !== null && vpc !== undefined) {
    const { row } = await need(cx, 'vpc', { vpc, ...(project && { project }) }, 'list_children')
    const place = placeInProject(row.project_id)
    return { ...place, images: imagesIn(place.within('im')), vpc_id: row.id, isFleetViewer, key: row.id }
  }
  if (project !== null && project !== undefined) {
    const { row } = await need(cx, 'project', { project }, 'list_children')
    const place = placeInProject(row.id)
    return { ...place, images: imagesIn(place.within('im')), isFleetViewer }
  }
  const everywhere = sees(cx, 'project', { silo_id, project_id: null })
  const seen = everywhere ? sql`true` : sql`p.id = ANY(${projects}::uuid[])`
  const visible = sql`p.silo_id = ${silo_id}::uuid AND p.time_deleted IS NULL AND ${seen}`
  const within = inProjects(visible)
  return {
    projects: visible,
    within,
    images: imagesIn(within('im')),
    silo_id: seesSiloImages ? silo_id : undefined,
    isFleetViewer,
    isOneProject: false,
    key: everywhere ? silo_id : user_id,
  }
}

/** The caller's own silo, for those who may list what it holds. They may see what is in its projects, too. */
function placeOfSilo(cx: Cx, { project, silo_only, vpc }: Asked, kind: FilteredKind): Place {
  const { silo_id } = needOwnSilo(cx, 'list_children')
  if (project || silo_only || vpc)
    throw invalid(
      `${listKind(kind).noun}s are in a silo and in no project`,
      'Leave out project, vpc and silo_only.',
    )
  const projects = sql`p.silo_id = ${silo_id}::uuid AND p.time_deleted IS NULL`
  return {
    projects,
    within: inProjects(projects),
    images: sql`false`,
    silo_id,
    isFleetViewer: false,
    isOneProject: false,
    key: silo_id,
  }
}

/** All silos, for those who operate the fleet. What their instances are related to stays with the silos. */
function placeOfFleet(cx: Cx, { project, silo_only, vpc }: Asked, kind: FilteredKind): Place {
  needFleet(cx, 'list_children')
  if (project || silo_only || vpc)
    throw invalid(
      `${listKind(kind).noun}s of the fleet are in all silos`,
      'Filter them by silo and project instead.',
    )
  const projects = sql`p.time_deleted IS NULL`
  return {
    projects,
    within: inProjects(projects),
    images: sql`false`,
    silo_id: undefined,
    isFleetViewer: true,
    isOneProject: false,
    key: 'fleet',
  }
}
