import type {
  InstanceTemplate,
  TemplateCreate,
  TemplateSummary,
  TemplateUpdate,
} from '@gantry/api/compute/instance-template'
import { type TemplateField, templateFields } from '@gantry/api/compute/instance-template.rules'
import { ops } from '@gantry/api/registry'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid } from '../../context/refusal.ts'
import type { Reader } from '../../db/database.ts'
import { filteredPage } from '../../list/filter/filtered-page.ts'
import { need, needOwnSilo, type Selectors } from '../../lookup/need.ts'
import { resourceView } from '../../lookup/views.ts'
import type { Input } from '../../pipeline/implement.ts'
import { referencesOf, referenceView, type Template } from './references.ts'
import { type Kept, type Place, settingsToKeep } from './settings.ts'

/** With a project only its own templates, without one only the silo's. */
export async function listTemplates(cx: Cx, { query }: Input<'instanceTemplateList'>) {
  const { items, next_page } = await filteredPage<'instance_template', typeof query, Template>(
    cx,
    ops.instanceTemplateList,
    'instance-template',
    query,
    (row) => row,
  )
  const references = await referencesOf(cx.db, items)
  return {
    items: items.map((row) => {
      const image = references
        .get(row.id)
        ?.find(({ field, kind }) => field === 'boot_source' && kind === 'image')
      return resourceView<TemplateSummary>(row, {
        project_id: row.project_id,
        fixed: [...row.fixed],
        hardware: row.settings.hardware ?? null,
        image: image ? referenceView(cx, row, image) : null,
      })
    }),
    next_page,
  }
}

export async function viewTemplate(cx: Cx, at: Selectors): Promise<InstanceTemplate> {
  const { row } = await need(cx, 'instance_template', at, 'read')
  return viewOf(cx, cx.db, row)
}

export async function createTemplate(
  cx: Cx,
  at: Selectors,
  { name, description, settings, fixed }: TemplateCreate,
): Promise<InstanceTemplate> {
  const place = await needPlace(cx, at)
  const kept = await settingsToKeep(cx, place, settings)
  const own = fixedToKeep(fixed, kept.settings)
  const { silo_id, project } = place
  const project_id = project?.id ?? null
  return change(cx, { silo_id, project_id }, async (tx) => {
    await (project_id === null ? tx.hold('silo', silo_id) : tx.hold('project', project_id))
    const row = await tx.insert('instance_template', {
      name,
      description,
      silo_id,
      project_id,
      ...columnsOf(kept),
      fixed: JSON.stringify(own),
    })
    return viewOf(cx, tx.read, row)
  })
}

export async function updateTemplate(cx: Cx, at: Selectors, body: TemplateUpdate): Promise<InstanceTemplate> {
  const { row: found, scope } = await need(cx, 'instance_template', at, 'modify')
  const kept = body.settings && (await settingsToKeep(cx, await placeOf(cx, found), body.settings))
  return change(cx, scope, async (tx) => {
    const row = await tx.lock('instance_template', found)
    const fixed = fixedToKeep(body.fixed ?? row.fixed, kept?.settings ?? row.settings)
    const updated = await tx.update('instance_template', row, {
      name: body.name ?? row.name,
      description: body.description ?? row.description,
      ...(kept && columnsOf(kept)),
      fixed: JSON.stringify(fixed),
    })
    return viewOf(cx, tx.read, updated)
  })
}

export async function deleteTemplate(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'instance_template', at, 'modify')
  await change(cx, scope, async (tx) =>
    tx.remove('instance_template', await tx.lock('instance_template', row)),
  )
}

async function needPlace(cx: Cx, at: Selectors): Promise<Place> {
  if (!at.project) return { ...needOwnSilo(cx, 'create_child', 'siloImage'), project: undefined }
  const { row } = await need(cx, 'project', at, 'create_child')
  return { silo_id: row.silo_id, project: row }
}

async function placeOf(cx: Cx, { silo_id, project_id }: Template): Promise<Place> {
  const project =
    project_id === null ? undefined : (await need(cx, 'project', { project: project_id }, 'read')).row
  return { silo_id, project }
}

const columnsOf = ({ settings, user_data }: Kept) => ({ settings: JSON.stringify(settings), user_data })

/** In one order. Everything but the hardware has a default, which can be fixed too. */
function fixedToKeep(fixed: readonly TemplateField[], settings: Kept['settings']): TemplateField[] {
  if (fixed.includes('hardware') && !settings.hardware)
    throw invalid(
      'the template has no hardware that could be fixed',
      'Give the hardware, or leave it changeable.',
    )
  return templateFields.filter((field) => fixed.includes(field))
}

async function viewOf(cx: Cx, db: Reader, row: Template): Promise<InstanceTemplate> {
  const references = (await referencesOf(db, [row])).get(row.id) ?? []
  return resourceView<InstanceTemplate>(row, {
    project_id: row.project_id,
    fixed: [...row.fixed],
    settings: { ...row.settings, ...(row.user_data !== null && { user_data: row.user_data }) },
    references: references.map((each) => referenceView(cx, row, each)),
  })
}
