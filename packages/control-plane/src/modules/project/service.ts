import type { RolePolicy } from '@gantry/api/people/policy'
import type { ProjectCreate, ProjectUpdate } from '@gantry/api/people/project'
import type { z } from 'zod'
import type { Row } from '../../db/tables.ts'
import { removeQueriesOf } from '../metrics/saved/saved-queries.ts'
import { blockerDetails, blockersOf } from '../../lookup/blockers.ts'
import { change } from '../../change/change.ts'
import { removeAll } from '../../change/children.ts'
import type { Cx } from '../../context/cx.ts'
import { allow, know, need, needOwnSilo, type Selectors } from '../../lookup/need.ts'
import { forgetPolicy, readPolicy, replacePolicy } from '../../change/policies.ts'
import { invalid } from '../../context/refusal.ts'
import { createDefaultVpc } from '../network/records/default-vpc.ts'
import type { ProjectParts } from '../recycle-bin/parts.ts'
import { recycle } from '../recycle-bin/recycle.ts'
import { removeSchedulesOf } from '../schedules/of-project.ts'
import { removeAccountsOf } from '../service-accounts/of-project.ts'
import { openUploadIn } from '../storage/image-uploads.ts'

export async function createProject(cx: Cx, body: z.infer<typeof ProjectCreate>): Promise<Row<'project'>> {
  const { silo_id } = needOwnSilo(cx, 'create_child')
  return change(cx, { silo_id, project_id: null }, async (tx) => {
    await tx.hold('silo', silo_id)
    const project = await tx.insert('project', { ...body, silo_id })
    tx.at({ silo_id, project_id: project.id })
    await tx.plain.insertInto('provisioning').values({ id: project.id, kind: 'project' }).execute()
    await createDefaultVpc(tx, project)
    return project
  })
}

export async function updateProject(
  cx: Cx,
  at: Selectors,
  body: z.infer<typeof ProjectUpdate>,
): Promise<Row<'project'>> {
  const { row, scope } = await need(cx, 'project', at, 'modify')
  return change(cx, scope, async (tx) => {
    const project = await tx.lock('project', row)
    return tx.update('project', project, {
      name: body.name ?? project.name,
      description: body.description ?? project.description,
    })
  })
}

export async function deleteProject(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'project', at, 'modify')
  await change(cx, scope, async (tx) => {
    // Locked until the transaction ends: creating anything in the project takes the lock too, so nothing can
    // slip in.
    const project = await tx.lockToDelete('project', row)
    // First, because clients remove the default VPC where nothing else is named.
    const upload = await openUploadIn(tx.read, project.id)
    if (upload)
      throw invalid(
        `project to be deleted contains an image upload: ${upload}`,
        'Complete or cancel it first.',
      )
    const blockers = await blockersOf(tx.read, 'project', project.id)
    if (blockers[0])
      throw invalid(
        `project to be deleted contains ${blockers[0].words}: ${blockers[0].names[0]}`,
        'Delete its contents first.',
        blockerDetails(blockers),
      )
    const roles = await forgetPolicy(tx, policyOf(project))
    await tx.plain.deleteFrom('provisioning').where('id', '=', project.id).execute()
    await removeQueriesOf(tx, project.id)
    await removeSchedulesOf(tx, project.id)
    await removeAll(tx, 'shared_view', 'project_id', project.id)
    await removeAll(tx, 'instance_template', 'project_id', project.id)
    await removeAccountsOf(tx, project.id)
    await tx.remove('project', project)
    await recycle(tx, {
      kind: 'project',
      row: project,
      silo_id: project.silo_id,
      project_id: null,
      kept: { roles } satisfies ProjectParts,
    })
  })
}

export async function viewProjectPolicy(cx: Cx, at: Selectors): Promise<RolePolicy> {
  const { row } = await need(cx, 'project', at, 'read')
  return readPolicy(cx.db, policyOf(row))
}

/** Returns the list in the order it was sent (control plane reference, A 6.6). */
export async function updateProjectPolicy(cx: Cx, at: Selectors, body: RolePolicy): Promise<RolePolicy> {
  // `If-Match` applies to the policy, so it is not compared with the project's generation.
  const found = await know(cx, 'project', at)
  allow(cx, found, 'modify')
  const { row } = found
  return change(cx, found.scope, async (tx) => {
    await tx.hold('project', row.id)
    return replacePolicy(tx, policyOf(row), body.role_assignments)
  })
}

const policyOf = ({ id }: Row<'project'>) => ({ resource_type: 'project', resource_id: id }) as const
