import type { TemplateReference } from '@gantry/api/compute/instance-template'
import type { ReferenceKind, TemplateField } from '@gantry/api/compute/instance-template.rules'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import type { StoredSettings } from '../../db/tables/compute.ts'
import { sees } from '../../lookup/location.ts'

export type Template = Row<'instance_template'>

/** Something that the settings name by id. */
export interface Named {
  field: TemplateField
  kind: ReferenceKind
  id: string
}

/** What exists of it: its name also where the caller may not see it. */
export interface Reference extends Named {
  name: string | undefined
  is_gone: boolean
}

export const namedIn = (settings: StoredSettings): Named[] => {
  const { boot_source, disks, network_interfaces, external_ips, anti_affinity_groups } = settings
  return [
    ...ofSource('boot_source', boot_source),
    ...(disks ?? []).flatMap(({ disk_source }) => ofSource('disks', disk_source)),
    ...(network_interfaces?.type === 'create' ? network_interfaces.params : []).flatMap(({ vpc, subnet }) => [
      { field: 'network_interfaces' as const, kind: 'vpc' as const, id: vpc },
      { field: 'network_interfaces' as const, kind: 'vpc-subnet' as const, id: subnet },
    ]),
    ...(external_ips ?? []).flatMap(({ pool }) =>
      pool ? [{ field: 'external_ips' as const, kind: 'ip-pool' as const, id: pool }] : [],
    ),
    ...(anti_affinity_groups ?? []).map((id) => ({
      field: 'anti_affinity_groups' as const,
      kind: 'anti-affinity-group' as const,
      id,
    })),
  ]
}

function ofSource(field: TemplateField, source: StoredSettings['boot_source']): Named[] {
  if (source?.type === 'image') return [{ field, kind: 'image', id: source.image_id }]
  if (source?.type === 'snapshot') return [{ field, kind: 'snapshot', id: source.snapshot_id }]
  return []
}

interface Existing {
  id: string
  name: string
  /** Null for an image of the silo, and for a pool. */
  project_id: string | null
  is_image: boolean
}

/** Looks up everything that templates of one silo name, by template. */
export async function referencesOf(
  db: Reader,
  templates: readonly Template[],
): Promise<ReadonlyMap<string, Reference[]>> {
  const named = new Map(templates.map(({ id, settings }) => [id, namedIn(settings)]))
  const ids = [...new Set([...named.values()].flat().map(({ id }) => id))]
  const [first] = templates
  const existing = first && ids.length > 0 ? await existingOf(db, first.silo_id, ids) : new Map()
  return new Map(
    templates.map(({ id, project_id }) => [
      id,
      (named.get(id) ?? []).map((each) => referenceOf(each, project_id, existing.get(each.id))),
    ]),
  )
}

const referenceOf = (named: Named, project_id: string | null, found: Existing | undefined): Reference => ({
  ...named,
  name: found?.name,
  is_gone: !found || (found.project_id !== null && found.project_id !== project_id),
})

async function existingOf(
  db: Reader,
  silo_id: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Existing>> {
  const any = sql`ANY (${ids}::uuid[])`
  const { rows } = await sql<Existing>`
    SELECT id, name, project_id, true AS is_image FROM image
      WHERE id = ${any} AND silo_id = ${silo_id} AND time_deleted IS NULL
    UNION ALL SELECT id, name, project_id, false FROM snapshot WHERE id = ${any} AND time_deleted IS NULL
    UNION ALL SELECT id, name, project_id, false FROM vpc WHERE id = ${any} AND time_deleted IS NULL
    UNION ALL SELECT s.id, s.name, v.project_id, false FROM vpc_subnet s JOIN vpc v ON v.id = s.vpc_id
      WHERE s.id = ${any} AND s.time_deleted IS NULL
    UNION ALL SELECT id, name, project_id, false FROM anti_affinity_group
      WHERE id = ${any} AND time_deleted IS NULL
    UNION ALL SELECT p.id, p.name, NULL, false FROM ip_pool p JOIN ip_pool_silo l ON l.ip_pool_id = p.id
      WHERE p.id = ${any} AND l.silo_id = ${silo_id} AND p.time_deleted IS NULL`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Of images of the silo, those who may not see them learn only that they exist. */
export const referenceView = (
  cx: Cx,
  { silo_id }: Template,
  { field, kind, id, name, is_gone }: Reference,
): TemplateReference => {
  const isShown = kind !== 'image' || sees(cx, 'image', { silo_id, project_id: null })
  return { field, kind, id, name: isShown && !is_gone ? (name ?? null) : null, is_gone }
}
